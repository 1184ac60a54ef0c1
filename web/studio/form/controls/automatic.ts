import { defineTexts } from '../../../text/define-texts.ts'

/** What a control shows while an optional parameter has no value. */
export const automatic = defineTexts({
  en: { automatic: 'Automatic' },
  uk: { automatic: 'Автоматично' },
  ru: { automatic: 'Автоматически' },
})
