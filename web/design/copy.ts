import { defineTexts } from '../text/define-texts.ts'
import { showToast } from './toasts.tsx'

const texts = defineTexts({
  en: { refused: 'The browser does not allow copying. Select the text and copy it yourself.' },
  uk: { refused: 'Браузер не дозволяє копіювати. Виділіть текст і скопіюйте його самостійно.' },
  ru: { refused: 'Браузер не разрешает копировать. Выделите текст и скопируйте его сами.' },
})

/** Copies a text, or says that the browser refuses. @returns false if it refuses */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    showToast(texts().refused)
    return false
  }
}
