import { effect } from '@preact/signals'
import { PERSONAL, readStored, store } from '../text/stored.ts'
import type { Params } from './form/form-fields.ts'
import { nameOf, type Tool } from './tools.ts'
import { inputs } from './workspace/items.ts'

const NAME = `${PERSONAL}tool_settings`

type Settings = Record<string, Params>

function readAll(): Settings {
  try {
    return JSON.parse(readStored(NAME) ?? '{}') as Settings
  } catch {
    return {}
  }
}

/** Returns the settings that the user has chosen for a tool; null for none. */
export function readSettings(tool: Tool): Params | null {
  return readAll()[nameOf(tool)] ?? null
}

/** Keeps the settings of a tool over a reload. */
export function keepSettings(tool: Tool, params: Params): void {
  store(NAME, JSON.stringify({ ...readAll(), [nameOf(tool)]: params }))
}

// Areas and times belong to the files that they were chosen on, so they are forgotten with the last one.
let had_inputs = false
effect(() => {
  const has_inputs = inputs.value.length > 0
  if (had_inputs && !has_inputs) store(NAME, null)
  had_inputs = has_inputs
})
