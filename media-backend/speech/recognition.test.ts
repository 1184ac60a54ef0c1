import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Language } from '../../shared/speech/languages.ts'
import { parseEnvironment } from '../environment.ts'
import { JobFailure } from '../runtime/failure.ts'
import type { Run } from '../runtime/run.ts'
import { babble, monologue } from '../testing/speech.ts'
import { SAID_BY_MODEL, TRANSLATED_BY_MODEL, writeWhisperModel } from '../testing/whisper-model.ts'
import { HEADER_BYTES } from './audio.ts'
import { transcribe } from './engine.ts'
import { chooseModel } from './models.ts'
import { isLikelySpeech, readWord } from './pocketsphinx.ts'
import type { TranscriptionRequest } from './transcription-request.ts'
import { wordsOfPieces } from './whisper-words.ts'

const RECORDING = '/usr/share/pocketsphinx/test/data/librivox/sense_and_sensibility_01_austen_64kb-0930.wav'
const ADDRESSES = { EDGE_URL: 'http://127.0.0.1', FLEET_KEYS: 'YWFh', S3_ENDPOINT: 'http://127.0.0.1' }

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-speech-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function runWith(variables: Record<string, string>, signal = new AbortController().signal): Run {
  const keys = { S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' }
  return { folder, signal, environment: parseEnvironment({ ...ADDRESSES, ...keys, ...variables }) }
}

const request = (changed: Partial<TranscriptionRequest> = {}): TranscriptionRequest => ({
  path: RECORDING,
  duration_seconds: 3.29,
  language: 'auto',
  task: 'transcribe',
  quality: 'balanced',
  ...changed,
})

describe('pocketsphinx', () => {
  test('recognizes most words of human speech with increasing times, and reports progress', async () => {
    const shares: number[] = []
    const { language, words } = await transcribe(request(), runWith({}), (fraction) => shares.push(fraction))
    const said = 'he might even have been made amiable himself'.split(' ')
    expect(language).toBe('en')
    expect(said.filter((word) => words.some(({ text }) => text === word)).length).toBeGreaterThanOrEqual(6)
    for (const [position, { start, end }] of words.entries()) {
      expect(end).toBeGreaterThan(start)
      expect(start).toBeGreaterThanOrEqual((words[position - 1]?.end ?? 0) - 1e-9)
    }
    expect(words.at(-1)?.end).toBeLessThan(3.4)
    expect(shares.at(-1)).toBeGreaterThan(0.9)
  })

  test('reports progress at least once per second within an endless utterance', {
    tags: ['extended'],
  }, async () => {
    const path = join(folder, 'babble.wav')
    await writeFile(path, await babble())
    const shares: number[] = []
    const reported_ms: number[] = [performance.now()]
    await transcribe(request({ path, duration_seconds: 9 }), runWith({}), (fraction) => {
      shares.push(fraction)
      reported_ms.push(performance.now())
    })
    expect(shares).toEqual([...shares].sort((one, other) => one - other))
    expect(new Set(shares.filter((fraction) => fraction > 0.1 && fraction < 0.9)).size).toBeGreaterThan(2)
    const gaps_ms = reported_ms.slice(1).map((at_ms, index) => at_ms - (reported_ms[index] ?? 0))
    // On a busy machine, everything takes longer.
    const whole_ms = (reported_ms.at(-1) ?? 0) - (reported_ms[0] ?? 0)
    expect(Math.max(...gaps_ms)).toBeLessThan(Math.max(2000, whole_ms / 3))
  })

  test('does not run for audio without speech', async () => {
    const path = join(folder, 'silent.wav')
    await writeFile(path, (await readFile(RECORDING)).fill(0, HEADER_BYTES))
    const shares: number[] = []
    const transcript = await transcribe(request({ path }), runWith({}), (fraction) => shares.push(fraction))
    expect(transcript).toEqual({ language: 'en', words: [] })
    expect(shares).toEqual([])
  })

  test.each([
    [{ language: 'uk' }, /^language: This server transcribes English only/],
    [{ task: 'translate' as const }, /^task: This server cannot translate/],
  ])('refuses %j with a message for users', async (changed, sentence) => {
    const refused = transcribe(request(changed), runWith({}), () => undefined)
    await expect(refused).rejects.toThrow(JobFailure)
    await expect(refused).rejects.toThrow(sentence)
  })

  test('stops when the work is no longer wanted', async () => {
    const controller = new AbortController()
    const stopped = transcribe(request(), runWith({}, controller.signal), () => undefined)
    controller.abort(new Error('canceled'))
    await expect(stopped).rejects.toThrow('canceled')
  })

  test.each([
    ['and(2) 0.150 0.360 0.260057', { text: 'and', start: 0.15, end: 0.37, confidence: 0.260057 }],
    ["i'm(2) 1.000 1.500 0.9", { text: "I'm", start: 1, end: 1.51, confidence: 0.9 }],
    ['<sil> 3.910 3.930 0.553348', { text: '', start: 3.91, end: 3.94, confidence: 0.553348 }],
    ['[SPEECH] 0.990 1.120 0.527359', { text: '', start: 0.99, end: 1.13, confidence: 0.527359 }],
    ['he was not an ill disposed young man', null],
    ['', null],
  ])('%s', (line, word) => {
    expect(readWord(line)).toEqual(word)
  })

  test('discards words of low confidence', () => {
    const received = (...confidences: number[]) =>
      confidences.map((confidence, at) => ({ text: 'a', start: at, end: at + 1, confidence }))
    expect(isLikelySpeech(received(0.15, 0.18, 0.13))).toBe(false)
    expect(isLikelySpeech(received(0.1, 0.6, 0.9))).toBe(true)
    expect(isLikelySpeech([])).toBe(false)
  })
})

describe('whisper', () => {
  const models = () => runWith({ WHISPER_MODELS_DIRECTORY: join(folder, 'model') })
  beforeAll(async () => {
    await mkdir(join(folder, 'model'))
    await writeWhisperModel(join(folder, 'model', 'ggml-tiny.bin'))
  })

  test.each([
    ['transcribe', 'auto', 'uk', SAID_BY_MODEL],
    ['transcribe', 'de', 'de', SAID_BY_MODEL],
    ['translate', 'auto', 'en', TRANSLATED_BY_MODEL],
  ] as const)('%s of %s gives words of %s at increasing times', async (task, language, expected, said) => {
    const shares: number[] = []
    const transcript = await transcribe(request({ task, language }), models(), (fraction) =>
      shares.push(fraction),
    )
    expect(transcript.language).toBe(expected)
    const { words } = transcript
    expect(words.map(({ text }) => text).join(' ')).toBe(said)
    for (const [position, { start, end }] of words.entries()) {
      expect(end).toBeGreaterThan(start)
      expect(start).toBeGreaterThanOrEqual(words[position - 1]?.end ?? 0)
    }
    expect(words.at(-1)?.end).toBeCloseTo(2, 1)
    expect(shares.at(-1)).toBe(1)
  })

  test('transcribes audio that is longer than a window of the model', { tags: ['extended'] }, async () => {
    const path = join(folder, 'monologue.wav')
    await writeFile(path, await monologue(40))
    const { words } = await transcribe(request({ path, duration_seconds: 40 }), models(), () => undefined)
    expect(words.map(({ text }) => text).join(' ')).toBe(`${SAID_BY_MODEL} ${SAID_BY_MODEL}`)
    expect(words.at(-1)?.end).toBeCloseTo(32, 1)
  })

  test('finds no words in silence', async () => {
    const path = join(folder, 'silence.wav')
    const recorded = await readFile(RECORDING)
    await writeFile(path, recorded.fill(0, HEADER_BYTES))
    const shares: number[] = []
    const { words } = await transcribe(request({ path }), models(), (fraction) => shares.push(fraction))
    expect(words).toEqual([])
    expect(shares).toEqual([0, 1])
  })

  test('stops when the work is no longer wanted', async () => {
    const controller = new AbortController()
    const run = { ...models(), signal: controller.signal }
    const stopped = transcribe(request(), run, () => controller.abort(new Error('canceled')))
    await expect(stopped).rejects.toThrow('canceled')
  })

  test('ends at the memory limit', { tags: ['extended'] }, async () => {
    const limits = { PROCESS_MEMORY_BYTES_MAX: String(512 * 1024 ** 2) }
    const run = runWith({ WHISPER_MODELS_DIRECTORY: join(folder, 'model'), ...limits })
    await expect(transcribe(request(), run, () => undefined)).rejects.toThrow(/whisper ended by .* ggml-tiny/)
  })

  test('treats an invalid or missing model as an internal error', async () => {
    await writeFile(join(folder, 'ggml-small.bin'), Buffer.alloc(4096, 7))
    const received = transcribe(request(), runWith({ WHISPER_MODELS_DIRECTORY: folder }), () => undefined)
    await expect(received).rejects.toThrow('whisper ended by 1 with the model ggml-small.bin')
    const whole = await readFile(join(folder, 'model', 'ggml-tiny.bin'))
    await writeFile(join(folder, 'ggml-small.bin'), whole.subarray(0, -1000))
    const truncated = transcribe(request(), runWith({ WHISPER_MODELS_DIRECTORY: folder }), () => undefined)
    await expect(truncated).rejects.toThrow('whisper ended by 1 with the model ggml-small.bin')
    await rm(join(folder, 'ggml-small.bin'))
    const none = transcribe(request(), runWith({ WHISPER_MODELS_DIRECTORY: folder }), () => undefined)
    await expect(none).rejects.toThrow('no suitable whisper model')
    await expect(none).rejects.not.toThrow(JobFailure)
    const missing = transcribe(
      request(),
      runWith({ WHISPER_MODELS_DIRECTORY: join(folder, 'gone') }),
      () => undefined,
    )
    await expect(missing).rejects.toThrow('cannot read the folder of whisper models')
    await expect(missing).rejects.not.toThrow(JobFailure)
  })

  test('names models that cannot translate or only know English', async () => {
    const models = join(folder, 'models')
    await mkdir(models)
    await writeFile(join(models, 'ggml-large-v3-turbo.bin'), '')
    await writeFile(join(models, 'ggml-base.en.bin'), '')
    const variables = { WHISPER_MODELS_DIRECTORY: models }
    const received = transcribe(
      request({ task: 'translate', language: 'de' }),
      runWith(variables),
      () => undefined,
    )
    await expect(received).rejects.toThrow(JobFailure)
    await expect(received).rejects.toThrow('task: This server cannot translate speech.')
  })

  test('offers the languages of whisper', () => {
    // The language table of whisper.cpp, in its original order.
    const known =
      'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt ' +
      'la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ' +
      'ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su yue'
    expect([...Language.unwrap().options].sort()).toEqual(['auto', ...known.split(' ')].sort())
  })

  const all = [
    'ggml-base.bin',
    'ggml-base.en.bin',
    'ggml-large-v3-turbo-q5_0.bin',
    'ggml-small-q5_1.bin',
    'ggml-tiny.bin',
  ]
  test.each([
    ['fast', 'uk', 'transcribe', all, 'ggml-base.bin'],
    ['fast', 'en', 'transcribe', all, 'ggml-base.en.bin'],
    ['fast', 'en', 'translate', all, 'ggml-base.bin'],
    ['balanced', 'auto', 'transcribe', all, 'ggml-small-q5_1.bin'],
    ['accurate', 'auto', 'transcribe', all, 'ggml-large-v3-turbo-q5_0.bin'],
    ['accurate', 'de', 'translate', all, 'ggml-small-q5_1.bin'],
    ['accurate', 'de', 'transcribe', [...all, 'ggml-large-v3.bin'], 'ggml-large-v3.bin'],
    ['accurate', 'de', 'transcribe', ['ggml-base.en.bin'], null],
    ['accurate', 'auto', 'transcribe', ['my-own.bin', 'ggml-silero-v5.1.2.bin', 'notes.txt'], 'my-own.bin'],
    ['fast', 'auto', 'translate', ['ggml-large-v3-turbo.bin'], null],
  ] as const)('%s, %s, %s', (quality, language, task, files, expected) => {
    expect(chooseModel(files, { quality, language, task })).toBe(expected)
  })

  test('joins pieces into words, spelled as in the whole text', () => {
    const pieces = [
      { text: ' Доб', t0: 0, t1: 200 },
      { text: 'р\uFFFD', t0: 200, t1: 300 },
      { text: '\uFFFDй', t0: 300, t1: 400 },
      { text: ' день', t0: 450, t1: 800 },
      { text: '.', t0: 800, t1: 820 },
    ]
    expect(wordsOfPieces(' Добрий день.', pieces)).toEqual([
      { text: 'Добрий', start: 0, end: 0.4 },
      { text: 'день.', start: 0.45, end: 0.82 },
    ])
  })

  test('splits a sentence without spaces and divides its time among the words', () => {
    const words = wordsOfPieces('今日は天気です。', [{ text: '今日は天気です。', t0: 0, t1: 1600 }])
    expect(words.map(({ text }) => text).join('')).toBe('今日は天気です。')
    expect(words.length).toBeGreaterThan(1)
    expect(words.at(-1)?.end).toBeCloseTo(1.6)
  })

  test('removes annotations of sounds', () => {
    const text = ' [Music] Hello (audience laughing) world ♪'
    const pieces = text
      .trim()
      .split(' ')
      .map((word, at) => ({ text: ` ${word}`, t0: at * 100, t1: at * 100 + 90 }))
    expect(wordsOfPieces(text, pieces).map((word) => word.text)).toEqual(['Hello', 'world'])
  })
})
