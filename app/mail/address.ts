const LONGEST = 254
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

/** Whether the text is one plain address: no display name, no second address, no character that could end a header. */
export function isAddress(text: string): boolean {
  const [local, domain, ...more] = text.split('@')
  if (text.length > LONGEST || more.length > 0 || !domain) return false
  const labels = domain.split('.')
  return (
    local.length <= 64 &&
    LOCAL.test(local) &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1)!)
  )
}
