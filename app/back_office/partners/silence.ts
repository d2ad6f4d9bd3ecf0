/** Of partner `p` and its reads `f` of the feed: active, but it asks for no changes, so that what it sells may be out of date. */
export const IS_SILENT = `(p.status = 'active' AND coalesce(f.read_at < now() - interval '10 minutes', true))`
