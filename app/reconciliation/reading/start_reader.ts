import type { RegisterReader } from '#reconciliation/reading/register_reader'
import { callThread, startThread } from '#shared/calculation_thread'

/** A reader on a thread of its own, for large files. */
export const startReader = (signal: AbortSignal) =>
  callThread<RegisterReader>(startThread(import.meta.url, './register_reader_thread'), signal)
