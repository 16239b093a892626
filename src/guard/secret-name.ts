const secret =
  /(?:^|_)(?:API_?KEY|APIKEY|SECRET(?:_?KEY)?|ACCESS_?KEY|PRIVATE_?KEY|SIGNING_?KEY|ENCRYPTION_?KEY|MASTER_?KEY|DEPLOY_?KEY|SSH_?KEY|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|CONNECTION_STRING)(?:_(?:BASE64|B64|PROD|PRODUCTION|STAGING|DEV|LIVE|TEST|\d+))?\d*$/
const joined =
  /(?:api_?key|secret_?key|password|passwd|access_?token|auth_?token|access_?key|private_?key)$|[A-Z0-9]_(?:PASS|PWD?|AUTH|JWT|DSN)$/i
const address = /^(?:DATABASE|MONGO(?:DB)?|REDIS|POSTGRES(?:QL)?|AMQP|RABBITMQ)_UR[IL]$/i

/** Whether a variable of this name has something in it that nobody else should see. */
export const isSecretName = (name: string): boolean => secret.test(name) || joined.test(name) || address.test(name)
