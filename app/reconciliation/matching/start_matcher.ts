import type { RegisterMatcher } from '#reconciliation/matching/register_matcher'
import { callThread, startThread } from '#shared/calculation_thread'

/** A matcher on a thread of its own, for large registers. */
export const startMatcher = (signal: AbortSignal) =>
  callThread<RegisterMatcher>(startThread(import.meta.url, './register_matcher_thread'), signal)
