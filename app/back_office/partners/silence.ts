/** SQL condition on partner `p` and its feed reads `f`: active, but not reading the feed, so that it may sell outdated seats. */
export const IS_SILENT = `(p.status = 'active' AND coalesce(f.read_at < now() - interval '10 minutes', true))`
