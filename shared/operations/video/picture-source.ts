import { ffmpegSeconds } from '../filters.ts'
import type { FfmpegStep } from '../steps.ts'
import { requireFrameBy } from './cut.ts'

/** Inputs, and a graph from them to a pad. */
export type Reading = Pick<FfmpegStep, 'inputs'> & { filter_graph: string }

/** Ways to read the video up to a picture: if the first shows none, the other does. */
export interface Source extends Reading {
  otherwise?: Reading
}

/** The same with its graph continued. */
export function continueSource({ otherwise, ...source }: Source, proceed: (graph: string) => string): Source {
  const proceeded = (reading: Reading) => ({ ...reading, filter_graph: proceed(reading.filter_graph) })
  return { ...proceeded(source), ...(otherwise && { otherwise: proceeded(otherwise) }) }
}

/** So much later than it should the first frame may come: for a picture that does not matter. */
const LATE_SECONDS = 0.5

/** Reading starts at `seek_seconds`, and where nothing can be decoded there in time, at nought. */
export function readFrom(seek_seconds: number, read: (start: number) => Reading): Source {
  return seek_seconds === 0 ? read(0) : { ...read(seek_seconds), otherwise: read(0) }
}

/** From the start there is no seek at all. */
export function seekOptions(start: number): string[] {
  return start === 0 ? [] : ['-noaccurate_seek', '-ss', ffmpegSeconds(start)]
}

/** What comes before all other filters when reading started here, and the frame at a moment is wanted. */
export function checkReading(start: number, at: number): string[] {
  return start === 0 ? [] : [requireFrameBy(at - start + LATE_SECONDS)]
}
