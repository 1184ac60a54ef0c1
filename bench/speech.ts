import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '../media-backend/environment.ts'
import type { Run } from '../media-backend/runtime/run.ts'
import { HEADER_BYTES, SAMPLES_PER_SECOND } from '../media-backend/speech/audio.ts'
import { transcribe } from '../media-backend/speech/engine.ts'
import { LONE_ENVIRONMENT } from '../media-backend/testing/environment.ts'
import { recording, SPEECH_FOLDER } from '../media-backend/testing/speech.ts'
import type { Measure } from './measure.ts'
import { countWordErrors, spokenWords } from './word-errors.ts'

/**
 * Word error rate of each available engine. Only whisper.cpp needs models, so it is measured only if the variable of
 * the fleet is set.
 */
export function speechMeasures(models_directory = process.env.WHISPER_MODELS_DIRECTORY): Measure[] {
  const pocketsphinx = measureWords('pocketsphinx', 0.4, {})
  if (models_directory === undefined) return [pocketsphinx]
  return [pocketsphinx, measureWords('whisper', 0.15, { WHISPER_MODELS_DIRECTORY: models_directory })]
}

function measureWords(engine: string, goal: number, variables: Partial<Environment>): Measure {
  return {
    name: `speech-${engine}`,
    title: `words that ${engine} gets wrong in recorded English speech, against the words said (word error rate)`,
    unit: 'words',
    goal,
    direction: 'at most',
    needsSystem: false,
    // The engines recognize the same words in every round.
    rounds: 1,
    async open(bench) {
      const folder = join(bench.folder, `speech-${engine}`)
      await mkdir(folder)
      const environment = { ...LONE_ENVIRONMENT, ...variables }
      const run = { folder, environment, signal: new AbortController().signal }
      const sentences = await readSentences()
      return { round: () => countErrors(engine, sentences, run), close: async () => {} }
    },
  }
}

interface Sentence {
  path: string
  said: string[]
}

/** Reads lines such as "<s> he was young </s> (sense_and_sensibility_01_austen_64kb-0880)". */
async function readSentences(): Promise<Sentence[]> {
  const text = await readFile(join(SPEECH_FOLDER, 'transcription'), 'utf8')
  const lines = [...text.matchAll(/^<s> (.+) <\/s> \(\S+-(\d+)\)$/gm)]
  return lines.map(([, said = '', number = '']) => ({ path: recording(number), said: spokenWords(said) }))
}

async function countErrors(engine: string, sentences: readonly Sentence[], run: Run) {
  const start_ms = performance.now()
  const total = { ours: 0, reference: 0 }
  let speech_seconds = 0
  for (const { path, said } of sentences) {
    const duration_seconds = ((await stat(path)).size - HEADER_BYTES) / 2 / SAMPLES_PER_SECOND
    const request = {
      path,
      duration_seconds,
      language: 'en',
      task: 'transcribe',
      quality: 'balanced',
    } as const
    const { words } = await transcribe(request, run, () => {})
    total.ours += countWordErrors(said, spokenWords(words.map(({ text }) => text).join(' ')))
    total.reference += said.length
    speech_seconds += duration_seconds
  }
  const seconds = (performance.now() - start_ms) / 1000
  console.log(`${engine} took ${seconds.toFixed(1)} s for ${speech_seconds.toFixed(1)} s of speech`)
  return total
}
