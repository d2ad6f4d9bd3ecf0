/** What a computation costs, in milliseconds of the processor: unlike time it does not tell what else the machine does. */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
