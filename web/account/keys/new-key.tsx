import type { CreatedApiKey } from '../../../client/src/index.ts'
import { Button } from '../../design/button.tsx'
import { CopyButton } from '../../design/copy-button.tsx'
import { defineTexts } from '../../text/define-texts.ts'
import styles from './keys.module.css'

const texts = defineTexts({
  en: { title: 'Copy the key now. It is not shown again.', done: 'Done' },
  uk: { title: 'Скопіюйте ключ зараз. Більше його не буде видно.', done: 'Готово' },
  ru: {
    title: 'Скопируйте ключ сейчас. Больше он не будет показан.',
    done: 'Готово',
  },
})

/** Shows the plaintext of a key once. */
export function NewKey({ created, onClose }: { created: CreatedApiKey; onClose: () => void }) {
  const t = texts()
  return (
    <div class={styles.new} role="status">
      <p>
        <strong>{t.title}</strong>
      </p>
      <code class={styles.plaintext}>{created.plaintext}</code>
      <div class={styles.buttons}>
        <CopyButton text={created.plaintext} />
        <Button look="plain" onClick={onClose}>
          {t.done}
        </Button>
      </div>
    </div>
  )
}
