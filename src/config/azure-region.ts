/** Letters and digits, such as `brazilsouth`: a region becomes part of a host name, and nothing else may. */
export const AZURE_REGION = /^[a-z][a-z0-9]{1,39}$/;
