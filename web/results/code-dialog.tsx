import { useState } from 'preact/hooks'
import { commandSnippet, curlSnippet, jobBody, typescriptSnippet } from '../../client/snippets/index.ts'
import { CopyButton } from '../design/copy-button.tsx'
import { Dialog } from '../design/dialog.tsx'
import { Segmented } from '../design/segmented.tsx'
import type { Tool } from '../studio/tools.ts'
import type { Operation } from '../studio/workspace/items.ts'
import { defineTexts } from '../text/define-texts.ts'
import styles from './code-dialog.module.css'
import { operationCall } from './operation-call.ts'

const texts = defineTexts({
  en: {
    title: (tool: string) => `${tool} as code`,
    language: 'Language',
    command: 'Command line',
    curl: (input: string) => `Requires curl and jq. Replace ${input} with your own input.`,
    typescript: (input: string) => `Requires the client and Node.js. Replace ${input} with your own input.`,
    cli: (input: string) => `Requires the client. Replace ${input} with your own input.`,
    json: 'Body of POST /api/v1/jobs/api. Replace the URL with that of your file, or with one that an upload returned.',
    key: 'The code reads your API key from the environment variable MEDIA_API_KEY.',
    install: 'How to install the client',
  },
  uk: {
    title: (tool: string) => `${tool}: код`,
    language: 'Мова',
    command: 'Командний рядок',
    curl: (input: string) => `Потрібні curl і jq. Замініть ${input} своїм файлом або посиланням.`,
    typescript: (input: string) =>
      `Потрібні клієнт і Node.js. Замініть ${input} своїм файлом або посиланням.`,
    cli: (input: string) => `Потрібен клієнт. Замініть ${input} своїм файлом або посиланням.`,
    json: 'Тіло запиту POST /api/v1/jobs/api. Замініть URL адресою свого файлу або тією, яку повернуло завантаження.',
    key: 'Код читає ваш ключ API зі змінної середовища MEDIA_API_KEY.',
    install: 'Як установити клієнт',
  },
  ru: {
    title: (tool: string) => `${tool}: код`,
    language: 'Язык',
    command: 'Командная строка',
    curl: (input: string) => `Нужны curl и jq. Замените ${input} своим файлом или ссылкой.`,
    typescript: (input: string) => `Нужны клиент и Node.js. Замените ${input} своим файлом или ссылкой.`,
    cli: (input: string) => `Нужен клиент. Замените ${input} своим файлом или ссылкой.`,
    json: 'Тело запроса POST /api/v1/jobs/api. Замените URL адресом своего файла или тем, который вернула загрузка.',
    key: 'Код читает ваш ключ API из переменной окружения MEDIA_API_KEY.',
    install: 'Как установить клиент',
  },
})

type Language = 'curl' | 'typescript' | 'cli' | 'json'

interface CodeDialogProps {
  operation: Operation
  tool: Tool
  onClose: () => void
}

/** The same operation with curl, in TypeScript, on the command line, and as the body of a request. */
export function CodeDialog({ operation, tool, onClose }: CodeDialogProps) {
  const t = texts()
  const [language, setLanguage] = useState<Language>('curl')
  const call = operationCall(operation, tool, location.origin)
  const fields = tool.config.fields.map(({ key }) => key)
  const code = {
    curl: () => curlSnippet(call, { downloads: true }),
    typescript: () => typescriptSnippet(call),
    cli: () => `export MEDIA_API_URL=${call.apiUrl}\n${commandSnippet(call, fields)}`,
    json: () => JSON.stringify(jobBody(call), null, 2),
  }[language]()
  const options = [
    { value: 'curl', label: 'curl' },
    { value: 'typescript', label: 'TypeScript' },
    { value: 'cli', label: t.command },
    { value: 'json', label: 'JSON' },
  ]
  return (
    <Dialog title={t.title(tool.title)} onClose={onClose}>
      <div class={styles.content}>
        <Segmented
          label={t.language}
          options={options}
          value={language}
          onChange={(value) => setLanguage(value as Language)}
        />
        <p class={styles.hint}>{language === 'json' ? t.json : t[language](call.input)}</p>
        <pre class={styles.code}>
          <code>{code}</code>
        </pre>
        <p class={styles.hint}>
          {language !== 'json' && t.key}{' '}
          {(language === 'typescript' || language === 'cli') && (
            <a href="/docs/guides/typescript">{t.install}</a>
          )}
        </p>
        <CopyButton text={code} />
      </div>
    </Dialog>
  )
}
