import type { FfmpegStep, RateSearch } from '../../../shared/planning/steps.ts'
import { log } from '../../runtime/log.ts'
import type { Run } from '../../runtime/run.ts'
import { chooseRate, type Probed } from './choose-rate.ts'
import { probeRate } from './probe-rate.ts'
import { withStepRate } from './with-rate.ts'

/** Part of the step's progress for a search. It is estimated at an eighth of the time at most. */
export const SEARCH_SHARE = 0.12

/** Replaces the rate factor of an encode by one that suits the video. Keeps it if the samples show no detail. */
export async function searchRate(
  { rate_search: search, ...step }: FfmpegStep & { rate_search: RateSearch },
  run: Run,
  reportProgress: (fraction: number) => void,
): Promise<FfmpegStep> {
  return withStepRate(step, await findRate(search, run, reportProgress))
}

/** Searches for the rate factor that suits a video. Returns null if the samples show no detail. */
export async function findRate(
  search: RateSearch,
  run: Run,
  reportProgress: (fraction: number) => void,
): Promise<number | null> {
  const probed: Probed[] = []
  let next = chooseRate(probed, search)
  while (!next.is_final) {
    const { rate } = next
    const done = probed.length
    const loss = await probeRate(search, rate, run, (fraction) =>
      reportProgress((done + fraction) / search.probes_max),
    )
    if (loss === null) return null
    probed.push({ rate, loss })
    next = chooseRate(probed, search)
  }
  log('rate_chosen', { rate: next.rate, probed })
  return next.rate
}
