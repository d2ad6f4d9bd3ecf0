/** What the journal records about what people do with cases, and the details of each entry. */
declare module '#shared/journal' {
  interface JournalEntries {
    case_changed: {
      case_id: number
      from: string
      to: string
      owner: string | null
      due_on: string | null
      reason: string | null
      false_positive?: boolean
    }
    case_answered: {
      case_id: number
      defect_id: number
      code: string
      answer: string
      refund_on: string | null
      refund_number: string | null
      comment: string | null
    }
  }
}

export {}
