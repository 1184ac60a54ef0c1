import type { Operation } from '../../shared/planning/operation.ts'

const SUBTITLES = '1\n00:00:00,500 --> 00:00:03,500\nYour own subtitles\n'

/** Params that keep an operation from analyzing its input, so it can follow other operations. */
const FOLLOWING: Readonly<Record<string, Record<string, unknown>[]>> = {
  'video/subtitles': [{ subtitles_url: 'https://example.org/own.srt' }, { subtitles_text: SUBTITLES }],
}

/** Returns the params that an operation needs to follow other operations in a pipeline. */
export function followingParams({ service, key }: Operation): Record<string, unknown>[] {
  return FOLLOWING[`${service}/${key}`] ?? []
}
