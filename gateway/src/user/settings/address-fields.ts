/** The members of the two addresses of a user, each with this schema. */
export function addressFields<Field>(field: Field) {
  return {
    post_country: field,
    post_region: field,
    post_index: field,
    post_city: field,
    post_street_address: field,
    registered_country: field,
    registered_region: field,
    registered_index: field,
    registered_city: field,
    registered_street_address: field,
  };
}
