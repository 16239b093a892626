import { namesIn } from './name-patterns.ts'

/** Variables whose value is a key: GH_TOKEN, STRIPE_SECRET_KEY, PGPASSWORD … It is also taken out of everything that is printed. */
export const secretNames: readonly string[] = [
  ...namesIn('*_TOKEN *_AUTHTOKEN *_SECRET *_SECRETS *_SECRET_KEY *_SECRET_KEY_BASE *PASSWORD *_PASSWD *_PASSPHRASE'),
  ...namesIn('*_API_KEY *_APIKEY *_APP_KEY *_ACCESS_KEY *_ACCESS_KEY_ID *_ACCOUNT_KEY *_AUTH_KEY *_PRIVATE_KEY *_PAT'),
  ...namesIn('*_SIGNING_KEY *_CREDENTIAL *_CREDENTIALS *_CREDS *_WEBHOOK *_WEBHOOK_URL'),
  ...namesIn('TOKEN SECRET SECRET_KEY SECRET_KEY_BASE API_KEY APIKEY ACCESS_TOKEN ACCESS_KEY PASSWD'),
  ...namesIn('NPM_CONFIG__AUTH* MYSQL_PWD REDISCLI_AUTH SOPS_AGE_KEY OP_SESSION_* BW_SESSION AWS_BEARER_TOKEN_BEDROCK'),
]

/** Variables that let their holder act as the user somewhere else. No agent and no check gets them. */
export const credentialNames: readonly string[] = [
  ...secretNames,
  // Clouds, clusters, vaults, registries, databases.
  ...namesIn('AWS_* AZURE_* CLOUDSDK_AUTH_* KUBECONFIG VAULT_* TF_TOKEN_* DOCKER_AUTH_CONFIG NETRC PGPASSFILE'),
  // Doors to somebody who has keys: the ssh agent, the editor's login, the CI's identity.
  ...namesIn('SSH_AUTH_SOCK SSH_AGENT_PID SSH_ASKPASS GIT_ASKPASS GPG_AGENT_INFO VSCODE_GIT_* ACTIONS_*'),
  // Headers with a key in them.
  ...namesIn('ANTHROPIC_CUSTOM_HEADERS OTEL_EXPORTER_OTLP_*HEADERS'),
]

/** Named like a credential, and none. */
export const harmlessNames: readonly string[] = namesIn('AWS_REGION AWS_DEFAULT_REGION AWS_PAGER')

/** What the agents themselves log in with: theirs, and only theirs. */
export const modelNames: readonly string[] = [
  ...namesIn('ANTHROPIC_* CLAUDE_* OPENAI_* AZURE_OPENAI_* CODEX_* AMP_* GEMINI_* GOOGLE_API_KEY GOOGLE_GENAI_*'),
  ...namesIn(
    'GOOGLE_GENERATIVE_AI_API_KEY CURSOR_* COPILOT_* FACTORY_* OPENCODE_* PI_* QWEN_* DASHSCOPE_API_KEY BAILIAN_*',
  ),
  ...namesIn('OPENROUTER_API_KEY AI_GATEWAY_API_KEY LITELLM_* OLLAMA_* GROQ_API_KEY MISTRAL_API_KEY XAI_API_KEY'),
  ...namesIn('DEEPSEEK_API_KEY CEREBRAS_API_KEY FIREWORKS_API_KEY TOGETHER_API_KEY MOONSHOT_API_KEY KIMI_API_KEY'),
  ...namesIn('ZAI_API_KEY ZHIPU_API_KEY MINIMAX_API_KEY AWS_BEARER_TOKEN_BEDROCK'),
]

/** Where a switch says that the model runs in a cloud, that cloud's credentials are the agent's login. */
export const modelClouds: readonly { readonly switches: readonly string[]; readonly names: readonly string[] }[] = [
  { switches: ['CLAUDE_CODE_USE_BEDROCK'], names: ['AWS_*'] },
  {
    switches: ['CLAUDE_CODE_USE_VERTEX', 'GOOGLE_GENAI_USE_VERTEXAI'],
    names: ['GOOGLE_APPLICATION_CREDENTIALS', 'CLOUDSDK_*'],
  },
  { switches: ['CLAUDE_CODE_USE_FOUNDRY'], names: ['AZURE_*'] },
]
