import type { TranscriptionRequest } from './transcription-request.ts'

/** Models for each quality, best match first. The first one that the operator provides is used. */
const PREFERRED: Record<TranscriptionRequest['quality'], string[]> = {
  fast: ['base', 'tiny', 'small', 'medium', 'large-v3-turbo', 'large'],
  balanced: ['small', 'base', 'medium', 'large-v3-turbo', 'large', 'tiny'],
  accurate: ['large-v3', 'large-v3-turbo', 'large', 'medium', 'small', 'base', 'tiny'],
}

/**
 * Chooses the best of the provided whisper.cpp models (such as ggml-small.bin or ggml-base.en-q5_1.bin). Returns
 * null if none is suitable. English models transcribe only English, and turbo models cannot translate.
 */
export function chooseModel(
  files: readonly string[],
  { quality, language, task }: Pick<TranscriptionRequest, 'quality' | 'language' | 'task'>,
): string | null {
  const models = files
    .filter((file) => /^[A-Za-z0-9_][A-Za-z0-9_.-]*\.bin$/.test(file))
    .filter((file) => !/vad|silero|encoder/i.test(file))
    .filter((file) => !isEnglish(file) || (language === 'en' && task === 'transcribe'))
    .sort()
  const known = task === 'translate' ? models.filter((file) => !file.includes('turbo')) : models
  for (const size of PREFERRED[quality]) {
    const fitting = known.filter(
      (file) => sizeOf(file).startsWith(size) && (size !== 'large-v3' || !file.includes('turbo')),
    )
    // For English, the English-only model is better than the multilingual model of the same size.
    const found = fitting.find(isEnglish) ?? fitting[0]
    if (found !== undefined) return found
  }
  return known[0] ?? null
}

function isEnglish(file: string): boolean {
  return /\.en[.-]/.test(file)
}

/** Converts "ggml-small.en-q5_1.bin" to "small.en-q5_1.bin". */
function sizeOf(file: string): string {
  return file.replace(/^ggml-/, '')
}
