import { defineTexts } from '../../text/define-texts.ts'
import type { Tool } from '../tools.ts'
import type { Params } from './form-fields.ts'
import { ownTexts, withoutSamples } from './sample-texts.ts'
import { matchingPreset } from './sent-params.ts'

const texts = defineTexts({
  en: { own: 'Own settings' },
  uk: { own: 'Власні налаштування' },
  ru: { own: 'Свои настройки' },
})

const OWN = 'own'

/** Returns the most common settings of a tool, its first preset. The user's own words are left to enter. */
export function commonParams(tool: Pick<Tool, 'config'>): Params {
  return withoutSamples(tool, tool.config.presets[0]?.params ?? {})
}

/**
 * Returns the settings that remain once the last file is removed: the preset and the user's own words. Areas and times
 * belong to the files that they were chosen on.
 */
export function paramsWithoutFiles(tool: Pick<Tool, 'accepts' | 'config'>, params: Params): Params {
  const preset = tool.config.presets[matchingPreset(tool, params) ?? 0]
  return withPreset(tool, preset?.params ?? {}, params)
}

function withPreset(tool: Pick<Tool, 'config'>, preset_params: Params, params: Params): Params {
  return { ...withoutSamples(tool, preset_params), ...ownTexts(tool, params) }
}

/**
 * Describes the choice among the presets of a tool. Changed settings belong to none, and are an option then. The user's
 * own words belong to every preset.
 */
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
    paramsOf(value: string): Params {
      const preset = presets[Number(value)]
      return preset === undefined ? params : withPreset(tool, preset.params, params)
    },
  }
}
