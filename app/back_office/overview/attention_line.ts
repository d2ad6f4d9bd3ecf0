import type { Attention } from '#back_office/overview/overview_props'
const MOST_NAMES = 5

/** At most five names; `count` may be larger than their number. */
export const attentionLine = (kind: string, names: string[], count = names.length): Attention => ({
  kind,
  count,
  names: names.slice(0, MOST_NAMES),
  more: Math.max(0, names.length - MOST_NAMES),
})
