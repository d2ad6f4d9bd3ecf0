/** What a computation costs, in milliseconds of the processor: unlike elapsed time it does not depend on other work of the machine. */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
