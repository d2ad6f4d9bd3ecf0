import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { exchange } from './exchange.ts'

/** A thread that reads as a partner does, at a steady pace: what else the drill does must not make it wait. */
export interface SignedReads {
  port: number
  request: string
  ms: number
}
export interface ReadTimes {
  p95: number
  count: number
}

const PACE_MS = 50

async function read({ port, request, ms }: SignedReads): Promise<ReadTimes> {
  const times: number[] = []
  const until = Date.now() + ms
  while (Date.now() < until) {
    const began = performance.now()
    await exchange(port, request)
    times.push(performance.now() - began)
    await delay(PACE_MS)
  }
  times.sort((a, b) => a - b)
  return { p95: times[Math.floor(times.length * 0.95)], count: times.length }
}

parentPort!.postMessage(await read(workerData as SignedReads))
