import { childCpuSeconds, countChildCpu } from '../../media-backend/runtime/child-cpu.ts'

/** Measures the CPU time of work, including that of the programs that it runs. */
export async function measureCpu<T>(work: () => Promise<T>): Promise<{ made: T; cpu_seconds: number }> {
  // Programs that have measured something before do not count.
  countChildCpu()
  const [own, children] = [process.cpuUsage(), childSeconds()]
  const made = await work()
  const { user, system } = process.cpuUsage(own)
  return { made, cpu_seconds: childSeconds() - children + (user + system) / 1e6 }
}

function childSeconds(): number {
  return childCpuSeconds().get('none') ?? 0
}
