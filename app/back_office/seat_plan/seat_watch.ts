import { changeBetween, readStates } from '#back_office/seat_plan/seat_states'
import { logRepeated } from '#shared/repeated_log'
import app from '@adonisjs/core/services/app'
import logger from '@adonisjs/core/services/logger'
import type { PassThrough } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

const LOOK_MS = 1_000
const BEAT_MS = 5_000
/** Whoever falls this far behind is let go: coming back, they get the full state. */
const MOST_UNSENT_BYTES = 1024 * 1024
/** Rights and sessions are looked at again whenever a stream begins. */
const LONGEST_MS = 5 * 60_000

interface Listener {
  stream: PassThrough
  until: number
}

/** One look a second at the seats of an event, however many follow it; nobody looks when nobody follows. */
class SeatWatch {
  #listeners = new Set<Listener>()
  #states: string | null = null
  #toldAt = 0

  constructor(
    private readonly eventId: string,
    private readonly atEnd: () => void
  ) {}

  follow(stream: PassThrough) {
    const listener = { stream, until: Date.now() + LONGEST_MS }
    this.#listeners.add(listener)
    stream.once('close', () => this.#listeners.delete(listener))
    if (this.#states !== null) tell(stream, 'seats', this.#states)
  }

  async run() {
    while (this.#listeners.size > 0) {
      await this.#look()
      await delay(LOOK_MS, undefined, { ref: false })
    }
    this.atEnd()
  }

  stop() {
    this.#end([...this.#listeners])
  }

  async #look() {
    try {
      const states = await readStates(this.eventId)
      this.#spread(states)
      this.#states = states
    } catch (error) {
      // Silence tells the listeners that what they see grows old.
      const about = { event_id: this.eventId }
      logRepeated(logger, 'warn', 'seats of a followed event were not read', error, about)
    }
    const isPast = ({ stream, until }: Listener) =>
      until <= Date.now() || stream.writableLength > MOST_UNSENT_BYTES
    this.#end([...this.#listeners].filter(isPast))
  }

  #spread(states: string) {
    const isFirst = this.#states === null || this.#states.length !== states.length
    const change = isFirst ? null : changeBetween(this.#states!, states)
    if (isFirst) this.#tellAll('seats', states)
    else if (change) this.#tellAll('change', JSON.stringify(change))
    else if (Date.now() - this.#toldAt >= BEAT_MS) this.#tellAll('beat', '')
  }

  #tellAll(name: string, text: string) {
    this.#toldAt = Date.now()
    for (const { stream } of this.#listeners) tell(stream, name, text)
  }

  #end(listeners: Listener[]) {
    for (const listener of listeners) {
      this.#listeners.delete(listener)
      listener.stream.end()
    }
  }
}

/** One server-sent event. */
const tell = (stream: PassThrough, name: string, text: string) =>
  stream.write(`event: ${name}\ndata: ${text}\n\n`)

const watches = new Map<string, SeatWatch>()

// Added after the server's own, so run before it: the server waits for every answer to end.
app.terminating(() => watches.forEach((watch) => watch.stop()))

/** Writes the states of an event's seats to a stream, and then every change, until it closes or the process is told to stop. */
export function followSeats(eventId: string, stream: PassThrough) {
  if (app.isTerminating) return stream.end()
  if (stream.destroyed) return
  const running = watches.get(eventId)
  if (running) return running.follow(stream)
  const watch = new SeatWatch(eventId, () => watches.delete(eventId))
  watches.set(eventId, watch)
  watch.follow(stream)
  void watch.run()
}
