// The page of an upload link: shows which files it accepts, sends one, and shows the progress of its job.
import { call, complete, Refusal, sendFile } from './send.js'
import { isAllowed, nameSize, nameTime, nameTypes, sentence, tellState, typeOf } from './words.js'

/**
 * @typedef {{title: string, description: string, allowed_mime_types: string[], max_size_bytes: number,
 *   form_size_bytes_max: number, note: string | null, expires_at: string}} Link
 */

/** @param {string} id */
function element(id) {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no ${id}`)
  return found
}

const input = /** @type {HTMLInputElement} */ (element('file'))
const progress = /** @type {HTMLProgressElement} */ (element('progress'))
const drop = element('drop')
const [TITLE, CLOSED] = ['Send a file', 'This link does not accept files']
const OPEN = ['pending', 'uploading']
const STEPS = ['choice', 'chosen', 'sending']
const path = `/api/v1/upload-links/${encodeURIComponent(location.hash.slice(1))}`

/** @type {Link | null} */
let link = null
/** @type {File | null} */
let file = null
let sending = new AbortController()

/** @param {string | null} step the current step; null: none */
function showStep(step) {
  for (const id of STEPS) element(id).hidden = id !== step
  element('term').hidden = step === null
}

/** @param {string} text */
function showFault(text) {
  const fault = element('fault')
  fault.textContent = text
  fault.hidden = text === ''
}

/**
 * @param {string} title
 * @param {string} text
 * @param {string} [look]
 */
function showOutcome(title, text, look = '') {
  element('title').textContent = title
  const outcome = element('outcome')
  const isNew = outcome.hidden
  outcome.textContent = text
  outcome.className = look
  outcome.hidden = false
  if (isNew) outcome.focus()
}

/** @param {Link} opened */
function showLink(opened) {
  link = opened
  const { title, description, note, allowed_mime_types, max_size_bytes, expires_at } = opened
  element('title').textContent = TITLE
  element('purpose').textContent = title
  element('description').textContent = description
  element('note').textContent = note
  element('note').hidden = note === null
  element('bounds').textContent =
    `You can send ${nameTypes(allowed_mime_types)}, up to ${nameSize(max_size_bytes)}.`
  element('term').textContent = `This link accepts one file until ${nameTime(expires_at)}.`
  input.accept = allowed_mime_types.join(',')
  element('about').hidden = false
  showStep('choice')
}

/** @param {File | undefined} picked */
function choose(picked) {
  if (link === null || picked === undefined || !element('sending').hidden) return
  const fault = findFault(link, picked)
  showFault(fault ?? '')
  if (fault !== null) return
  file = picked
  element('name').textContent = picked.name
  element('size').textContent = nameSize(picked.size)
  showStep('chosen')
  element('send').focus()
}

/**
 * @param {Link} link
 * @param {File} picked
 */
function findFault({ allowed_mime_types, max_size_bytes }, picked) {
  if (picked.size === 0) return `“${picked.name}” is empty. Choose another file.`
  if (picked.size > max_size_bytes) {
    return `“${picked.name}” is ${nameSize(picked.size)}; the limit is ${nameSize(max_size_bytes)}.`
  }
  if (isAllowed(allowed_mime_types, typeOf(picked))) return null
  return `“${picked.name}” is not accepted. This link accepts ${nameTypes(allowed_mime_types)}.`
}

/** @param {number} share */
function showProgress(share) {
  const percent = Math.floor(share * 100)
  progress.value = percent
  element('percent').textContent = percent < 100 ? `${percent}%` : 'Uploaded. Please wait …'
}

async function send() {
  if (link === null || file === null) return
  showFault('')
  sending = new AbortController()
  element('sending-name').textContent = file.name
  element('stop').hidden = false
  showProgress(0)
  showStep('sending')
  try {
    const what = { file, type: typeOf(file), form_size_bytes_max: link.form_size_bytes_max }
    const answered = await sendFile(path, what, showProgress, sending.signal)
    element('stop').hidden = true
    const state =
      answered ??
      (await complete(path, (reason) =>
        showOutcome('Your file has arrived', `${sentence(reason)} Leave this page open.`),
      ))
    await follow(state)
  } catch (error) {
    if (sending.signal.aborted) showStep('chosen')
    else await showRefusal(error)
  }
}

/** @param {unknown} error */
async function showRefusal(error) {
  if (!(error instanceof Refusal)) throw error
  element('outcome').hidden = true
  element('title').textContent = TITLE
  if ([404, 409, 410].includes(error.status)) return showClosed(error)
  if (error.status === 400) {
    // The refusal may have closed the link.
    const state = await call('GET', `${path}/status`).catch(() => null)
    if (state !== null && !OPEN.includes(state.status)) return follow(state)
  }
  showFault(sentence(error.message))
  showStep(file === null || [400, 413, 415].includes(error.status) ? 'choice' : 'chosen')
}

/** @param {Refusal} refusal */
async function showClosed(refusal) {
  element('about').hidden = true
  showStep(null)
  if (refusal.status !== 409) return showOutcome(CLOSED, sentence(refusal.message), 'bad')
  await follow(await call('GET', `${path}/status`))
}

const [PAUSE_MS_MIN, PAUSE_MS_MAX] = [2000, 15_000]

/**
 * Shows the state of the job until it ends.
 * @param {{status: string, error: string | null}} state
 */
async function follow(state) {
  element('about').hidden = true
  showStep(null)
  for (let pause_ms = PAUSE_MS_MIN; ; pause_ms = Math.min(pause_ms * 1.3, PAUSE_MS_MAX)) {
    const { title, text, look, ended } = tellState(state)
    showOutcome(title, text, look)
    if (ended) return
    await new Promise((resolve) => setTimeout(resolve, pause_ms))
    state = await call('GET', `${path}/status`).catch(() => state)
  }
}

async function open() {
  if (location.hash.length < 2) {
    showOutcome(CLOSED, 'Part of the URL is missing. Check that you copied the whole URL.', 'bad')
    return
  }
  try {
    showLink(await call('GET', path))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if ([404, 409, 410].includes(error.status)) await showClosed(error)
    else
      showOutcome('Something went wrong', `${sentence(error.message)} Reload this page to try again.`, 'bad')
  }
}

input.addEventListener('change', () => {
  choose(input.files?.[0])
  // Allows choosing the same file again.
  input.value = ''
})
element('other').addEventListener('click', () => {
  showStep('choice')
  input.focus()
})
element('send').addEventListener('click', () => void send())
element('stop').addEventListener('click', () => sending.abort())
for (const name of ['dragover', 'drop']) document.addEventListener(name, (event) => event.preventDefault())
document.addEventListener('dragover', () => drop.classList.add('over'))
document.addEventListener('dragleave', () => drop.classList.remove('over'))
document.addEventListener('drop', (event) => {
  drop.classList.remove('over')
  const { files } = event.dataTransfer ?? {}
  if (files !== undefined && files.length > 1) showFault('This link accepts one file. Drop a single file.')
  else choose(files?.[0])
})
addEventListener('hashchange', () => location.reload())
addEventListener('beforeunload', (event) => {
  if (!element('sending').hidden) event.preventDefault()
})

void open()
