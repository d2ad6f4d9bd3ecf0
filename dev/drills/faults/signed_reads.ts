import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { exchange } from './exchange.ts'

// Runs in a thread, so that what else the drill does does not make it wait: reads as a partner does, at a steady pace.

export interface SignedReads {
  port: number
  request: string
  ms: number
}
export interface ReadTimes {
  p95: number
  count: number
  /** Other answers than 200, each once. */
  others: string[]
}

const PACE_MS = 50

async function read({ port, request, ms }: SignedReads): Promise<ReadTimes> {
  const times: number[] = []
  const others = new Set<string>()
  const until = Date.now() + ms
  while (Date.now() < until) {
    const began = performance.now()
    const status = await exchange(port, request)
    times.push(performance.now() - began)
    if (status !== '200') others.add(status)
    await delay(PACE_MS)
  }
  times.sort((a, b) => a - b)
  return { p95: times[Math.floor(times.length * 0.95)], count: times.length, others: [...others] }
}

parentPort!.postMessage(await read(workerData as SignedReads))
