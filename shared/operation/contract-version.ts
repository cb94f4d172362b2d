/**
 * The version of the contracts between Workers, which each Worker shows by the `props` of its service bindings. Workers of
 * another version answer 14. docs/contributing.md says which changes raise it.
 */
export const CONTRACT_VERSION = 1;
