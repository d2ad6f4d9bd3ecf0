/** Where every path of the partner API begins. */
export const PREFIX = '/api/v1/partners'
