import { encodedSize } from '../ffmpeg/filters.ts'
import { writeTexts } from '../text/texts.ts'
import { lengthText, tierText } from '../text/words.ts'
import type { MediaProbe, VideoTrack } from './facts.ts'
import { type Plan, type PlanRefusal, refuse } from './operation.ts'
import type { FramePass, SourceFrames } from './steps.ts'

/**
 * Length ceiling of the tier. It also limits the output, so a short clip never becomes hours of work.
 * Contract: Limits, Input length ceiling.
 */
export interface WorkCeiling {
  max_input_seconds: number
  tier: string
}

/** A tier allows as many frames as a video of this frame size and rate has at the tier's length ceiling. */
const FRAME = { width: 1920, height: 1080 }
export const FRAMES_PER_SECOND = 60
/**
 * Highest rate that operations produce. A faster input counts as this rate, so an incorrectly declared rate does
 * not cause a refusal.
 */
const RATE_COUNTED_MAX = 120
/** One encode and up to five operations that draw. */
export const FULL_PASSES_MAX = 6

/** Returns the pass that encodes every frame of this video at the capped size. */
export function framePass({
  duration_seconds,
  video,
}: Pick<MediaProbe, 'duration_seconds' | 'video'>): FramePass {
  const frames_per_second = Math.min(RATE_COUNTED_MAX, video.frames_per_second)
  return { seconds: duration_seconds, frames_per_second, ...encodedSize(video) }
}

/** Returns the frames of a video as they are decoded: in its own size, whatever the operations do with them. */
export function decodedFrames({ width, height, frames_per_second }: VideoTrack): SourceFrames {
  return { width, height, frames_per_second: Math.min(RATE_COUNTED_MAX, frames_per_second) }
}

/**
 * Refuses a plan if any stage exceeds the length ceiling, or if it has more frames than a video at the ceiling. An
 * input with more frames raises that limit to its own count.
 */
export function refuseWork(
  { steps, passes = [] }: Pick<Plan, 'steps' | 'passes'>,
  input: FramePass | null,
  { max_input_seconds, tier }: WorkCeiling,
): PlanRefusal | null {
  const lengths = steps.map((step) => (step.kind === 'ffmpeg' ? (step.output_duration_seconds ?? 0) : 0))
  const longest = Math.max(0, ...lengths, ...passes.map(({ seconds }) => seconds))
  if (Math.floor(longest) > max_input_seconds) return refuseLength(longest, { max_input_seconds, tier })
  const full = { seconds: max_input_seconds, frames_per_second: FRAMES_PER_SECOND, ...FRAME }
  const most = Math.max(passPixels(full), input === null ? 0 : passPixels(input))
  const largest = passes.find((pass) => passPixels(pass) > most)
  if (largest !== undefined) return refuseFrames(largest, most, tier)
  const total = passes.reduce((sum, pass) => sum + passPixels(pass), 0)
  return total > FULL_PASSES_MAX * most ? refusePasses(total, FULL_PASSES_MAX * most, tier) : null
}

export function passPixels({ seconds, frames_per_second, width, height }: FramePass): number {
  return seconds * frames_per_second * width * height
}

function refuseLength(seconds: number, { max_input_seconds, tier }: WorkCeiling): PlanRefusal {
  const length = writeTexts((locale) => lengthText(locale, Math.ceil(seconds)))
  const limit = writeTexts((locale) => lengthText(locale, max_input_seconds))
  return refuse(null, {
    en: `The result would be ${length.en} long, but the ${tier} tier allows up to ${limit.en}. Trim the video first, or slow it down less`,
    uk: `Результат тривав би ${length.uk}, а обмеження для рівня «${tierText('uk', tier)}» — ${limit.uk}. Спершу обріжте відео або сповільніть його менше`,
    ru: `Результат длился бы ${length.ru}, а ограничение для уровня «${tierText('ru', tier)}» — ${limit.ru}. Сначала обрежьте видео или замедлите его меньше`,
  })
}

function refuseFrames(pass: FramePass, most: number, tier: string): PlanRefusal {
  const { width, height } = pass
  const count = frameCount(passPixels(pass), pass)
  const limit = frameCount(most, pass)
  return refuse(null, {
    en: `The result would have ${count} frames of ${width} x ${height} pixels, but the ${tier} tier allows up to ${limit} of that size. Lower the frame rate or the size, or trim the video first`,
    uk: `Кадрів розміром ${width} x ${height} пікселів у результаті було б ${count}, а обмеження для рівня «${tierText('uk', tier)}» — ${limit}. Зменште частоту кадрів чи розмір або спершу обріжте відео`,
    ru: `Кадров размером ${width} x ${height} пикселей в результате было бы ${count}, а ограничение для уровня «${tierText('ru', tier)}» — ${limit}. Уменьшите частоту кадров или размер либо сначала обрежьте видео`,
  })
}

function refusePasses(total: number, most: number, tier: string): PlanRefusal {
  const [count, limit] = [frameCount(total, FRAME), frameCount(most, FRAME)]
  return refuse(null, {
    en: `Together, the operations would process the equivalent of ${count} frames of 1920 x 1080 pixels, but the ${tier} tier allows up to ${limit}. Trim the video first, or split the operations into several jobs`,
    uk: `Кількість кадрів, які разом обробили б операції, у перерахунку на 1920 x 1080 пікселів становила б ${count}, а обмеження для рівня «${tierText('uk', tier)}» — ${limit}. Спершу обріжте відео або розділіть операції на кілька завдань`,
    ru: `Число кадров, которые вместе обработали бы операции, в пересчете на 1920 x 1080 пикселей составило бы ${count}, а ограничение для уровня «${tierText('ru', tier)}» — ${limit}. Сначала обрежьте видео или разделите операции на несколько заданий`,
  })
}

function frameCount(pixels: number, { width, height }: { width: number; height: number }): number {
  return Math.floor(pixels / (width * height))
}
