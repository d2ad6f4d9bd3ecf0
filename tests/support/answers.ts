/** One part of an answer (or of a row) that was just awaited. */
export const statusOf = <Status>({ status }: { status: Status }) => status
export const dataOf = <Data>({ data }: { data: Data }) => data
export const jsonOf = <Json>({ json }: { json: Json }) => json
export const headersOf = ({ headers }: { headers: Headers }) => headers
