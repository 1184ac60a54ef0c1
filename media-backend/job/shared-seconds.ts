import { unionMs } from '../runtime/union-ms.ts'
import type { EncodeTime } from './segment-task.ts'
import { shareCores } from './share-cores.ts'

/**
 * Returns the encode time of all segments in seconds, as one worker would have measured it. Segments that were encoded
 * at the same time on the same cores slowed each other down, so that time counts once.
 */
export function encodeSeconds(times: readonly EncodeTime[]): number {
  return groupByCores(times).reduce((sum, shared) => sum + unionMs(shared), 0) / 1000
}

/** Groups times whose cores overlap, also by way of the cores of a third. */
function groupByCores(times: readonly EncodeTime[]): EncodeTime[][] {
  const by_name = [...Map.groupBy(times, ({ cores }) => cores).values()]
  return by_name.reduce<EncodeTime[][]>((groups, named) => {
    const isShared = (group: EncodeTime[]) =>
      group.some((one) => named.some((other) => shareCores(one.cores, other.cores)))
    const { shared = [], apart = [] } = Object.groupBy(groups, (group) =>
      isShared(group) ? 'shared' : 'apart',
    )
    return [...apart, [...named, ...shared.flat()]]
  }, [])
}
