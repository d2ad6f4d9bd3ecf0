import type { TestPartner } from '#tests/support/fixtures'
import { outcomeOf } from '../crowd.js'

export interface SeenEvent {
  status: string
  access: string
  price_from_tenge: number | null
}

/** A partner's poller, which knows the answers of the feed only. */
export class FeedReader {
  events = new Map<string, SeenEvent>()
  #cursor: string | undefined

  constructor(private partner: TestPartner) {}

  /** False when the partner may not read just now. */
  async poll(): Promise<boolean> {
    const since = this.#cursor ? `?updated_since=${this.#cursor}` : '?limit=100'
    const answer = await this.partner.client.get(`/events${since}`)
    if (answer.status === 403) return false
    if (answer.status !== 200) throw new Error(`The feed answered ${outcomeOf(answer)}`)
    for (const event of answer.data) this.events.set(event.event_id, event)
    this.#cursor = answer.json.meta.cursor
    return true
  }
}
