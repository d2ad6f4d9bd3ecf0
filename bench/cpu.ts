import { readdirSync, readFileSync } from 'node:fs'

export type Seconds = Record<string, number>

const TICKS_PER_SECOND = 100
// Fields of /proc/<pid>/stat after the name, which may itself contain spaces.
const PARENT = 1
// User and system time of the process itself, then of its children that have ended.
const TIMES = [11, 12, 13, 14]

/** CPU seconds that each process and its children have used so far; 0 where there is no /proc. */
export function cpuSeconds(processes: Record<string, number>): Seconds {
  const used = new Map<number, number>()
  const add = (pid: number, seconds: number) => used.set(pid, (used.get(pid) ?? 0) + seconds)
  for (const { pid, stat } of readStats()) {
    const ticks = TIMES.reduce((sum, field) => sum + Number(stat[field]), 0)
    add(pid, ticks / TICKS_PER_SECOND)
    add(Number(stat[PARENT]), ticks / TICKS_PER_SECOND)
  }
  const entries = Object.entries(processes).map(([name, pid]) => [name, used.get(pid) ?? 0])
  return Object.fromEntries(entries)
}

export const difference = (after: Seconds, before: Seconds): Seconds =>
  Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - before[name]]))

function readStats() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(readStat)
  } catch {
    return []
  }
}

function readStat(pid: string) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return [{ pid: Number(pid), stat: text.slice(text.lastIndexOf(')') + 2).split(' ') }]
  } catch {
    return []
  }
}
