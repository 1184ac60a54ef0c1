import type { LegalDocument } from '../../edge/legal/rules/documents.ts'
import type { Locale } from '../../shared/text/texts.ts'

interface PageTexts {
  skip: string
  main: string
  studio: string
  docs: string
  documents: string
  language: string
  template: string
  version: string
  /** Follows the version of an earlier text. */
  earlier: string
  current: string
  source: string
  names: Record<LegalDocument, string>
}

/** Texts around the documents. */
export const PAGE_TEXTS: Record<Locale, PageTexts> = {
  en: {
    skip: 'Skip to the content',
    main: 'Main',
    studio: 'Studio',
    docs: 'Docs',
    documents: 'Documents',
    language: 'Language',
    template:
      'This is a template. It is not legally binding: the operator of this service has not supplied the document yet.',
    version: 'Version',
    earlier: 'This is an earlier version, which applies to purchases that were made with it.',
    current: 'Current version',
    source: 'The text as a file, whose SHA-256 is:',
    names: { terms: 'Terms', refunds: 'Refunds and withdrawal', privacy: 'Privacy', imprint: 'Imprint' },
  },
  uk: {
    skip: 'Перейти до вмісту',
    main: 'Головне меню',
    studio: 'Студія',
    docs: 'Документація',
    documents: 'Документи',
    language: 'Мова',
    template: 'Це зразок. Він не має юридичної сили: власник цього сервісу ще не додав документ.',
    version: 'Версія',
    earlier: 'Це попередня версія. Вона діє для покупок, зроблених за нею.',
    current: 'Чинна версія',
    source: 'Текст у вигляді файлу, SHA-256 якого:',
    names: {
      terms: 'Умови',
      refunds: 'Повернення коштів і відмова',
      privacy: 'Приватність',
      imprint: 'Про продавця',
    },
  },
  ru: {
    skip: 'Перейти к содержимому',
    main: 'Главное меню',
    studio: 'Студия',
    docs: 'Документация',
    documents: 'Документы',
    language: 'Язык',
    template: 'Это образец. Он не имеет юридической силы: владелец этого сервиса еще не добавил документ.',
    version: 'Версия',
    earlier: 'Это предыдущая версия. Она действует для покупок, сделанных по ней.',
    current: 'Действующая версия',
    source: 'Текст в виде файла, SHA-256 которого:',
    names: {
      terms: 'Условия',
      refunds: 'Возврат средств и отказ',
      privacy: 'Конфиденциальность',
      imprint: 'О продавце',
    },
  },
}

export const LANGUAGE_NAMES: Record<Locale, string> = { en: 'English', uk: 'Українська', ru: 'Русский' }
