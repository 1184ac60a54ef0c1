import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Busboy } from '@fastify/busboy'
import type { BotCall, BotFailure } from '../edge/worker/bots.ts'

interface BotState {
  calls: BotCall[]
  failures: BotFailure[]
}

/** Measures a file that is sent as a round video. Returns null if the file is not measured. */
export type MeasureVideo = (
  bytes: Buffer,
) => Promise<{ width: number; height: number; seconds: number } | null>

const METHODS = ['sendMessage', 'sendChatAction', 'sendVideoNote', 'setWebhook']
const [TEXT_MAX, DIAMETER_MAX, SECONDS_MAX, BYTES_MAX] = [4096, 640, 60, 50 * 1000 * 1000]
/** Containers report slightly more than one minute for a one-minute video. */
const SECONDS_TOLERANCE = 0.5

/** Valid bot tokens have the form "{id}:known-…". */
const TOKEN = /^\d+:known-[\w-]+$/

/**
 * Starts the part of Telegram's Bot API that our bots use. Like Telegram, it checks the token in the path, the
 * fields, and that a round video is a square MP4 within the size and duration limits. `GET /control/{token}`
 * returns a bot's calls, and `PUT` sets how later calls fail.
 */
export async function startBotApi(measure: MeasureVideo = async () => null) {
  const bots = new Map<string, BotState>()
  const stateOf = (token: string) => {
    const state = bots.get(token) ?? { calls: [], failures: [] }
    bots.set(token, state)
    return state
  }
  const server = createServer((request, response) => {
    respond(request).then(
      ({ status, content }) => answer(response, status, content),
      (error) => answer(response, 500, { ok: false, error_code: 500, description: String(error) }),
    )
  })

  async function respond(request: IncomingMessage): Promise<Answer> {
    const path = (request.url ?? '').slice(1)
    if (path.startsWith('control/')) return control(stateOf(path.slice('control/'.length)), request)
    const [, token = '', method = ''] = /^bot([^/]+)\/(\w+)$/.exec(path) ?? []
    const { fields, file } = await readCall(request)
    if (!TOKEN.test(token)) return refuse(401, 'Unauthorized')
    if (!METHODS.includes(method)) return refuse(404, 'Not Found')
    const state = stateOf(token)
    const failure = state.failures.find((one) => one.method === method && one.times > 0)
    if (failure !== undefined) {
      failure.times -= 1
      return refuse(failure.status, failure.description)
    }
    const fault = await findFault(method, fields, file, measure)
    if (fault !== null) return refuse(400, `Bad Request: ${fault}`)
    const sentFile = file && { bytes: file.content.length, content_type: file.content_type }
    state.calls.push({ method, fields, file: sentFile })
    return { status: 200, content: { ok: true, result: { message_id: state.calls.length } } }
  }

  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Answer {
  status: number
  content: object
}

interface SentFile {
  field: string
  content_type: string
  content: Buffer
}

function refuse(status: number, description: string): Answer {
  return { status, content: { ok: false, error_code: status, description } }
}

function answer(response: ServerResponse, status: number, content: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(content))
}

async function control(state: BotState, request: IncomingMessage): Promise<Answer> {
  if (request.method === 'PUT') state.failures = JSON.parse(await text(request))
  return { status: 200, content: state }
}

async function readCall(request: IncomingMessage) {
  const type = request.headers['content-type'] ?? ''
  if (type.startsWith('multipart/form-data')) return readForm(request, type)
  const body = await text(request)
  const content = type.startsWith('application/json') ? (JSON.parse(body) as Record<string, unknown>) : {}
  const fields = Object.fromEntries(Object.entries(content).map(([name, value]) => [name, String(value)]))
  return { fields, file: null }
}

function readForm(request: IncomingMessage, type: string) {
  return new Promise<{ fields: Record<string, string>; file: SentFile | null }>((resolve, reject) => {
    const form = new Busboy({ headers: { 'content-type': type }, limits: { fileSize: BYTES_MAX + 1 } })
    const fields: Record<string, string> = {}
    let file: SentFile | null = null
    form.on('field', (name, value) => {
      fields[name] = value
    })
    form.on('file', (field, stream, _name, _encoding, content_type) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', () => {
        file = { field, content_type, content: Buffer.concat(chunks) }
      })
    })
    form.on('finish', () => resolve({ fields, file }))
    form.on('error', reject)
    request.on('error', reject)
    request.pipe(form)
  })
}

async function findFault(
  method: string,
  fields: Record<string, string>,
  file: SentFile | null,
  measure: MeasureVideo,
): Promise<string | null> {
  if (method === 'setWebhook') return URL.canParse(fields.url ?? '') ? null : 'bad webhook'
  if (!/^-?\d+$/.test(fields.chat_id ?? '')) return 'chat not found'
  if (method === 'sendChatAction') return fields.action === 'upload_video_note' ? null : 'wrong action'
  if (method === 'sendVideoNote') return findVideoFault(fields, file, measure)
  const { text = '' } = fields
  if (text.trim() === '') return 'message text is empty'
  return text.length > TEXT_MAX ? 'message is too long' : null
}

const isWithin = (text: string | undefined, most: number) =>
  text !== undefined && /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= most

async function findVideoFault(
  { length, duration }: Record<string, string>,
  file: SentFile | null,
  measure: MeasureVideo,
): Promise<string | null> {
  if (file === null || file.field !== 'video_note') return 'there is no video note in the request'
  if (file.content.length > BYTES_MAX) return 'file is too big'
  if (file.content.toString('latin1', 4, 8) !== 'ftyp') return 'wrong file: not an MPEG4'
  if (!isWithin(length, DIAMETER_MAX)) return 'wrong video note length'
  if (!isWithin(duration, SECONDS_MAX)) return 'wrong video note duration'
  const measured = await measure(file.content)
  if (measured === null) return null
  if (measured.width !== measured.height || measured.width !== Number(length))
    return 'the video is not square'
  return measured.seconds > SECONDS_MAX + SECONDS_TOLERANCE ? 'the video is too long' : null
}
