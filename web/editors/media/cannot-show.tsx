import { Notice } from '../../design/surfaces.tsx'
import { defineTexts } from '../../text/define-texts.ts'

const texts = defineTexts({
  en: { cannot_show: 'This browser cannot show this file. Set the values below; the service can read it.' },
  uk: {
    cannot_show: 'Браузер не може показати цей файл. Задайте значення нижче: сервіс зможе його прочитати.',
  },
  ru: {
    cannot_show: 'Браузер не может показать этот файл. Задайте значения ниже: сервис сможет его прочитать.',
  },
})

/** What an editor shows instead of a file that the browser cannot decode. */
export function CannotShow() {
  return <Notice>{texts().cannot_show}</Notice>
}
