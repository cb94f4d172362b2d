declare module "#places?url" {
  /** The address of the places that `vite.config.ts` puts together from the gazetteer. */
  const url: string;
  export default url;
}
