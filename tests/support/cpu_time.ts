/** What a computation costs, in milliseconds of the processor: unlike elapsed time it does not depend on other work of the machine. */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  return cpuMsSince(before)
}

/** The same of the whole process, its threads included. */
export async function cpuMsDuring(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  return cpuMsSince(before)
}

function cpuMsSince(before: NodeJS.CpuUsage) {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
