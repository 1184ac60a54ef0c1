import { useState } from 'preact/hooks'
import { CheckField } from '../design/field.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { canNotify, isNotifying, setNotifying } from './notifications.ts'

const texts = defineTexts({
  en: {
    label: 'Notify me when a job finishes in the background',
    denied: 'The browser blocks notifications of this page. Allow them in its settings.',
  },
  uk: {
    label: 'Сповіщати, коли завдання завершиться у фоні',
    denied: 'Браузер блокує сповіщення цієї сторінки. Дозвольте їх у налаштуваннях браузера.',
  },
  ru: {
    label: 'Уведомлять, когда задание завершится в фоне',
    denied: 'Браузер блокирует уведомления этой страницы. Разрешите их в настройках браузера.',
  },
})

/** Turns notifications on and off. */
export function NotifySwitch() {
  const t = texts()
  const [isDenied, setDenied] = useState(false)
  if (!canNotify) return null
  return (
    <CheckField
      label={t.label}
      fault={isDenied ? t.denied : null}
      checked={isNotifying.value}
      onChange={async ({ currentTarget }) => {
        const isAllowed = await setNotifying(currentTarget.checked)
        setDenied(!isAllowed)
        currentTarget.checked = isNotifying.value
      }}
    />
  )
}
