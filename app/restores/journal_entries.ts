/** What the journal records about restores of this database. */
declare module '#shared/journal' {
  interface JournalEntries {
    /** Nothing is sold from now on. `known_entry`: the newest entry of the journal that a file knows; null after a dump. */
    restore_noticed: { because: string; newest_entry: string; known_entry: string | null }
    /** Selling goes on. Each number that was advanced, with the last one in use and the one that it continues after. */
    restore_finished: {
      restored_to: string
      numbers: Record<string, { from: string; to: string }>
    }
    /** Sales of the gap that this database does not have, as far as registers and confirms know them. */
    restore_gap_sales: { orders: number; tenge: string; order_ids: string[] }
    /** A process started in which nothing is delivered or mailed. */
    quiet_mode_started: { process: string; host: string }
  }
}

export {}
