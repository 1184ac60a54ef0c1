import type { Ports } from '../system/ports.ts'
import { type Line, openLine } from './line.ts'

/**
 * The connections on which a job travels: the request of the client, the commit in the database, the dispatch to the queues
 * of the fleet, and the reports of the fleet.
 */
export const LINES = ['request', 'commit', 'dispatch', 'report'] as const
export type LineName = (typeof LINES)[number]

export type Lines = Readonly<Record<LineName, Line>>

/**
 * Opens the lines of a system before it starts. Its edge and fleet must use their addresses.
 * @param reports the port to which the line of the reports leads
 */
export async function openLines({ edge, database, fleet }: Ports, reports = edge): Promise<Lines> {
  const [request, commit, dispatch, report] = await Promise.all(
    [edge, database, fleet, reports].map(openLine),
  )
  if (!request || !commit || !dispatch || !report) throw new Error('A line is missing.')
  return { request, commit, dispatch, report }
}

export async function closeLines(lines: Lines): Promise<void> {
  await Promise.all(LINES.map((name) => lines[name].close()))
}
