import { defineTexts } from '../../text/define-texts.ts'
import type { Tool } from '../tools.ts'
import type { Params } from './form-fields.ts'
import { matchingPreset } from './sent-params.ts'

const texts = defineTexts({
  en: { own: 'Own settings' },
  uk: { own: 'Власні налаштування' },
  ru: { own: 'Свои настройки' },
})

const OWN = 'own'

/** Describes the choice among the presets of a tool. Changed settings belong to none, and are an option then. */
export function presetChoice(tool: Pick<Tool, 'accepts' | 'config'>, params: Params) {
  const { presets } = tool.config
  const matching = matchingPreset(tool, params)
  return {
    options: [
      ...presets.map(({ label }, index) => ({ value: String(index), label })),
      ...(matching === null ? [{ value: OWN, label: texts().own }] : []),
    ],
    value: matching === null ? OWN : String(matching),
    /** Returns the parameters of a chosen option. */
    paramsOf: (value: string): Params => presets[Number(value)]?.params ?? params,
  }
}
