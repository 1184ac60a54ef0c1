import { z } from 'zod'
import { LANES } from '../planning/lanes.ts'

/** A process of the fleet, as it describes itself. */
export const FleetProcess = z.object({
  /** Host and port, such as `fleet-long-5d9c7-x2x8v:8790`. */
  name: z.string(),
  started_at: z.iso.datetime(),
  /** Lanes that it serves, also lanes of another version; empty if it only accepts jobs. */
  lanes: z.array(z.string()),
  /** IDs of the jobs that it runs. */
  running: z.array(z.string()),
  /** True if it accepts no more jobs from its lanes and exits when its running jobs have ended. */
  draining: z.boolean(),
})
export type FleetProcess = z.infer<typeof FleetProcess>

/** Response to GET {fleet}/processes, which is signed with an empty body. */
export const FleetProcesses = z.object({ processes: z.array(FleetProcess) })

/** POST {fleet}/drain: names one process, or all processes that serve a lane. */
export const DrainRequest = z.union([
  z.strictObject({ process: z.string().min(1).max(300) }),
  z.strictObject({ lane: z.enum(LANES) }),
])
export type DrainRequest = z.infer<typeof DrainRequest>

/** Response to POST {fleet}/drain: names of the processes that were asked to drain. */
export const DrainResponse = z.object({ draining: z.array(z.string()) })

/** Checks whether a request to drain means a process. */
export function isDrained(
  request: DrainRequest,
  { name, lanes }: Pick<FleetProcess, 'name' | 'lanes'>,
): boolean {
  return 'process' in request ? request.process === name : lanes.includes(request.lane)
}
