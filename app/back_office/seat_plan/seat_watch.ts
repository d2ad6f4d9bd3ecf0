import { changeBetween, readStates } from '#back_office/seat_plan/seat_states'
import { MINUTE_MS } from '#shared/days'
import { logRepeated } from '#shared/repeated_log'
import app from '@adonisjs/core/services/app'
import logger from '@adonisjs/core/services/logger'
import type { PassThrough } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

const LOOK_MS = 1_000
const BEAT_MS = 5_000
/** A client that is this far behind is disconnected; when it reconnects, it gets the full state. */
const MOST_UNSENT_BYTES = 1024 * 1024
/** A new stream checks rights and session again. */
const LONGEST_MS = 5 * MINUTE_MS

interface Listener {
  stream: PassThrough
  until: number
}

/** Reads the seats of an event once a second for all its listeners, and stops without listeners. */
class SeatWatch {
  #listeners = new Set<Listener>()
  #states: string | null = null
  #sentAt = 0

  constructor(
    private readonly eventId: string,
    private readonly atEnd: () => void
  ) {}

  follow(stream: PassThrough) {
    const listener = { stream, until: Date.now() + LONGEST_MS }
    this.#listeners.add(listener)
    stream.once('close', () => this.#listeners.delete(listener))
    if (this.#states !== null) sendEvent(stream, 'seats', this.#states)
  }

  async run() {
    while (this.#listeners.size > 0) {
      await this.#readAndSend()
      await delay(LOOK_MS, undefined, { ref: false })
    }
    this.atEnd()
  }

  stop() {
    this.#end([...this.#listeners])
  }

  async #readAndSend() {
    try {
      const states = await readStates(this.eventId)
      this.#sendChanges(states)
      this.#states = states
    } catch (error) {
      // Without a beat the listeners notice that their state is outdated.
      const about = { event_id: this.eventId }
      logRepeated(logger, 'warn', 'seats of a followed event were not read', error, about)
    }
    const isPast = ({ stream, until }: Listener) =>
      until <= Date.now() || stream.writableLength > MOST_UNSENT_BYTES
    this.#end([...this.#listeners].filter(isPast))
  }

  #sendChanges(states: string) {
    const isFirst = this.#states === null || this.#states.length !== states.length
    const change = isFirst ? null : changeBetween(this.#states!, states)
    if (isFirst) this.#sendAll('seats', states)
    else if (change) this.#sendAll('change', JSON.stringify(change))
    else if (Date.now() - this.#sentAt >= BEAT_MS) this.#sendAll('beat', '')
  }

  #sendAll(name: string, text: string) {
    this.#sentAt = Date.now()
    for (const { stream } of this.#listeners) sendEvent(stream, name, text)
  }

  #end(listeners: Listener[]) {
    for (const listener of listeners) {
      this.#listeners.delete(listener)
      listener.stream.end()
    }
  }
}

/** One server-sent event. */
const sendEvent = (stream: PassThrough, name: string, text: string) =>
  stream.write(`event: ${name}\ndata: ${text}\n\n`)

const watches = new Map<string, SeatWatch>()

// Hooks run in reverse order: this one ends the streams before the server waits for them.
app.terminating(() => watches.forEach((watch) => watch.stop()))

/** Writes the states of an event's seats to a stream, and then every change, until it closes or the process stops. */
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
