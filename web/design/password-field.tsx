import { Eye, EyeOff } from 'lucide-preact'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { defineTexts } from '../text/define-texts.ts'
import { IconButton } from './button.tsx'
import { Field, type FieldProps } from './field.tsx'
import styles from './form.module.css'

const texts = defineTexts({
  en: { show: 'Show the password', hide: 'Hide the password' },
  uk: { show: 'Показати пароль', hide: 'Сховати пароль' },
  ru: { show: 'Показать пароль', hide: 'Скрыть пароль' },
})

type Props = FieldProps & Omit<JSX.IntrinsicElements['input'], 'label' | 'type'>

/** A password with a button that shows it. */
export function PasswordField({ label, hint, fault, ...rest }: Props) {
  const t = texts()
  const [isShown, setShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <Field
      {...{ label, hint, fault }}
      control={(props) => (
        <span class={styles.reveal}>
          <input required {...rest} {...props} type={isShown ? 'text' : 'password'} />
          <IconButton
            label={isShown ? t.hide : t.show}
            aria-controls={props.id}
            onClick={() => setShown(!isShown)}
          >
            <Icon size={20} aria-hidden />
          </IconButton>
        </span>
      )}
    />
  )
}
