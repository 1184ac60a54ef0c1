import { writeFile } from 'node:fs/promises'

export const SAID_BY_MODEL = 'Добрий день.'
export const TRANSLATED_BY_MODEL = 'Good day.'

/**
 * Writes a multilingual model of whisper.cpp (ggml, 16-bit floats): 4 MB, one layer, and weights that are set instead of
 * trained, so that each token determines the next one. If the audio is not silent, the model detects Ukrainian and
 * transcribes SAID_BY_MODEL, or translates it to TRANSLATED_BY_MODEL.
 */
export async function writeWhisperModel(path: string): Promise<void> {
  await writeFile(path, Buffer.concat([header(), melFilters(), vocabulary(), ...weights()]))
}

const [MELS, BINS, FRAMES, CONTEXT, STATE, HEADS, LAYERS] = [80, 201, 1500, 448, 32, 1, 1] as const

/** IDs of the multilingual vocabulary. */
const [WORDS, VOCABULARY, TIMESTAMPS] = [50_257, 51_865, 50_364] as const
const [END, START, UKRAINIAN, TRANSLATE, TRANSCRIBE] = [50_257, 50_258, 50_280, 50_358, 50_359] as const
const NO_SPEECH = 50_362
/** Timestamps are multiples of 0.02 s. */
const timestamp = (seconds: number) => TIMESTAMPS + Math.round(seconds * 50)

/** The first two pieces share a character, as pieces of real vocabularies do. */
const [first, second] = [Buffer.from(' Добрий').subarray(0, -3), Buffer.from('рий').subarray(-3)]
const PIECES: readonly (readonly [number, Buffer])[] = [
  [220, Buffer.from(' ')],
  [1000, first],
  [1001, second],
  [1002, Buffer.from(' день')],
  [1003, Buffer.from('.')],
  [1004, Buffer.from(' Good')],
  [1005, Buffer.from(' day')],
  [1006, Buffer.from('.')],
]

/** Each token is followed by the next one in its chain, so the tasks differ in all of their tokens. */
const CHAINS: readonly (readonly number[])[] = [
  [START, UKRAINIAN],
  [TRANSCRIBE, timestamp(0), 1000, 1001, 1002, 1003, timestamp(2), END],
  [TRANSLATE, timestamp(0.02), 1004, 1005, 1006, timestamp(2.02), END],
]
/** Each of these tokens has its own dimension of the state. The first dimension is that of the audio. */
const TOKENS = [NO_SPEECH, ...new Set(CHAINS.flat())]
const AUDIO = 0
const dimension = (token: number) => TOKENS.indexOf(token) + 1
/** Layer normalization of a vector with a single non-zero value gives it this value. */
const NORMALIZED = Math.sqrt(STATE - 1)

function integers(...values: number[]): Buffer {
  return Buffer.from(Int32Array.from(values).buffer)
}

function header(): Buffer {
  const audio = [FRAMES, STATE, HEADS, LAYERS]
  const text = [CONTEXT, STATE, HEADS, LAYERS]
  return integers(0x67676d6c, VOCABULARY, ...audio, ...text, MELS, 1)
}

/** Each filter averages a few frequencies. */
function melFilters(): Buffer {
  const filters = new Float32Array(MELS * BINS)
  for (let mel = 0; mel < MELS; mel += 1) {
    const bin = Math.floor((mel * (BINS - 3)) / MELS)
    filters.fill(1 / 3, mel * BINS + bin, mel * BINS + bin + 3)
  }
  return Buffer.concat([integers(MELS, BINS), Buffer.from(filters.buffer)])
}

function vocabulary(): Buffer {
  const pieces = new Map(PIECES)
  const words = Array.from({ length: WORDS }, (_, id) => pieces.get(id) ?? Buffer.from(` ${id}`))
  return Buffer.concat([integers(WORDS), ...words.flatMap((word) => [integers(word.length), word])])
}

type Cells = readonly (readonly [row: number, column: number, value: number])[]

function weights(): Buffer[] {
  return [...encoder(), ...decoder()]
}

/** The audio dimension becomes positive in loud frames and negative in silent ones. */
function encoder(): Buffer[] {
  const mean: Cells = Array.from({ length: MELS }, (_, mel) => [AUDIO, mel * 3 + 1, 1 / MELS])
  return [
    vector('encoder.positional_embedding', [STATE, FRAMES]),
    matrix('encoder.conv1.weight', [3, MELS, STATE], mean),
    vector('encoder.conv1.bias', [1, STATE]),
    matrix('encoder.conv2.weight', [3, STATE, STATE], [[AUDIO, AUDIO * 3 + 1, 100]]),
    vector('encoder.conv2.bias', [1, STATE]),
    ...normalization('encoder.ln_post'),
    ...attention('encoder.blocks.0.attn'),
    ...perceptron('encoder.blocks.0', [], []),
  ]
}

/** Attends to the loudest frame. If it is silent, ends the text; otherwise chains the tokens. */
function decoder(): Buffer[] {
  const cross = 'decoder.blocks.0.cross_attn'
  const pass: Cells = [[AUDIO, AUDIO, 1]]
  const ending: [token: number, strength: number][] = [
    [NO_SPEECH, 20],
    [END, 10],
    // The first token must be a timestamp. A later one would set how far the engine advances.
    [timestamp(0), 3],
  ]
  const links = CHAINS.flatMap((chain) =>
    chain.slice(1).map((next, index) => [chain[index] ?? 0, next] as const),
  )
  return [
    vector('decoder.positional_embedding', [STATE, CONTEXT]),
    matrix(
      'decoder.token_embedding.weight',
      [STATE, VOCABULARY],
      TOKENS.map((token) => [token, dimension(token), 8]),
    ),
    ...normalization('decoder.ln'),
    ...attention('decoder.blocks.0.attn'),
    ...attention(cross, {
      query_bias: [[0, AUDIO, 20]],
      key: pass,
      value: pass,
      out: ending.map(([token, strength]) => [dimension(token), AUDIO, -strength]),
      out_bias: ending.map(([token, strength]) => [0, dimension(token), strength * NORMALIZED]),
    }),
    ...perceptron(
      'decoder.blocks.0',
      TOKENS.map((token) => [dimension(token), dimension(token), 1]),
      links.map(([token, next]) => [dimension(next), dimension(token), 20]),
    ),
  ]
}

function normalization(name: string): Buffer[] {
  return [vector(`${name}.weight`, [STATE], [], 1), vector(`${name}.bias`, [STATE])]
}

interface Attention {
  query_bias?: Cells
  key?: Cells
  value?: Cells
  out?: Cells
  out_bias?: Cells
}

function attention(name: string, { query_bias, key, value, out, out_bias }: Attention = {}): Buffer[] {
  const square = [STATE, STATE]
  return [
    ...normalization(`${name}_ln`),
    matrix(`${name}.query.weight`, square),
    vector(`${name}.query.bias`, [STATE], query_bias),
    matrix(`${name}.key.weight`, square, key),
    matrix(`${name}.value.weight`, square, value),
    vector(`${name}.value.bias`, [STATE]),
    matrix(`${name}.out.weight`, square, out),
    vector(`${name}.out.bias`, [STATE], out_bias),
  ]
}

function perceptron(name: string, input: Cells, output: Cells): Buffer[] {
  return [
    ...normalization(`${name}.mlp_ln`),
    matrix(`${name}.mlp.0.weight`, [STATE, 4 * STATE], input),
    vector(`${name}.mlp.0.bias`, [4 * STATE], [], -1),
    matrix(`${name}.mlp.2.weight`, [4 * STATE, STATE], output),
    vector(`${name}.mlp.2.bias`, [STATE]),
  ]
}

/** A tensor of 32-bit floats. */
function vector(name: string, shape: number[], cells: Cells = [], fill = 0): Buffer {
  return tensor(name, shape, cells, 0, new Float32Array(sizeOf(shape)).fill(fill))
}

/** A tensor of 16-bit floats. The last dimension of the shape counts rows. */
function matrix(name: string, shape: number[], cells: Cells = []): Buffer {
  return tensor(name, shape, cells, 1, new Float16Array(sizeOf(shape)))
}

function tensor(
  name: string,
  shape: number[],
  cells: Cells,
  type: number,
  values: Float32Array | Float16Array,
) {
  const row_length = values.length / (shape.at(-1) ?? 1)
  for (const [row, column, value] of cells) values[row * row_length + column] = value
  const bytes = Buffer.from(name)
  return Buffer.concat([
    integers(shape.length, bytes.length, type, ...shape),
    bytes,
    Buffer.from(values.buffer),
  ])
}

function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1)
}
