/**
 * The services that have a short name: `openai:`, `ollama:`. It stands for their base URL wherever one
 * is accepted. The tables of the documents are generated from these rows.
 */
import type {Variables} from './environment.ts';
import {isLoopback} from './loopback.ts';
import type {WireName} from './wire-name.ts';

type Provider = {
	readonly title: string;
	/** A peculiarity of it, for the documents. */
	readonly note?: string;
};

export type HostedProvider = Provider & {
	/** Without one it has no fixed address: `baseUrl` is then a pattern for the documents. */
	readonly name?: string;
	readonly baseUrl: string;
	/** The variable in which its own documents put the key. */
	readonly keyVariable: string;
	/** Where to get a key. */
	readonly keyPage: string;
	/** The default model: only a name that the provider moves to its newer models. */
	readonly model?: string;
	/** The convention it serves best, if not chat completions. */
	readonly wire?: WireName;
	/** The beginning of its keys, if they have one that no ordinary word has. */
	readonly keyPrefix?: string;
};

export type LocalProvider = Provider & {
	readonly name: string;
	/** How to start it. */
	readonly start: string;
	/** The ports it may listen on, the likeliest first. */
	readonly ports: readonly number[];
	/** Variables of its own that name its address. */
	readonly variables?: readonly string[];
	/** Returns the address that these variables name, as far as they do: `host`, `:port`, a URL. */
	readAddress?(variables: Variables): string | undefined;
};

export const hostedProviders: readonly HostedProvider[] = [
	{
		name: 'openai',
		title: 'OpenAI',
		baseUrl: 'https://api.openai.com/v1',
		keyVariable: 'OPENAI_API_KEY',
		keyPage: 'https://platform.openai.com/api-keys',
		wire: 'responses',
		note: 'asked over Responses',
		keyPrefix: 'sk-',
	},
	{
		name: 'openrouter',
		title: 'OpenRouter',
		baseUrl: 'https://openrouter.ai/api/v1',
		keyVariable: 'OPENROUTER_API_KEY',
		keyPage: 'https://openrouter.ai/settings/keys',
		model: 'openrouter/auto',
		note: 'models of many companies, as `company/model`',
	},
	{
		name: 'anthropic',
		title: 'Anthropic',
		baseUrl: 'https://api.anthropic.com/v1',
		keyVariable: 'ANTHROPIC_API_KEY',
		keyPage: 'https://console.anthropic.com/settings/keys',
		wire: 'messages',
		note: 'asked over Messages',
	},
	{
		name: 'gemini',
		title: 'Google Gemini',
		baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
		keyVariable: 'GEMINI_API_KEY',
		keyPage: 'https://aistudio.google.com/apikey',
		model: 'gemini-flash-latest',
		keyPrefix: 'AIza',
		note: 'a compatibility layer',
	},
	{
		name: 'mistral',
		title: 'Mistral',
		baseUrl: 'https://api.mistral.ai/v1',
		keyVariable: 'MISTRAL_API_KEY',
		keyPage: 'https://console.mistral.ai/api-keys',
		model: 'mistral-large-latest',
	},
	{
		name: 'groq',
		title: 'Groq',
		baseUrl: 'https://api.groq.com/openai/v1',
		keyVariable: 'GROQ_API_KEY',
		keyPage: 'https://console.groq.com/keys',
		keyPrefix: 'gsk_',
	},
	{
		name: 'deepseek',
		title: 'DeepSeek',
		baseUrl: 'https://api.deepseek.com/v1',
		keyVariable: 'DEEPSEEK_API_KEY',
		keyPage: 'https://platform.deepseek.com/api_keys',
	},
	{
		name: 'xai',
		title: 'xAI',
		baseUrl: 'https://api.x.ai/v1',
		keyVariable: 'XAI_API_KEY',
		keyPage: 'https://console.x.ai',
		keyPrefix: 'xai-',
	},
	{
		name: 'together',
		title: 'Together AI',
		baseUrl: 'https://api.together.xyz/v1',
		keyVariable: 'TOGETHER_API_KEY',
		keyPage: 'https://api.together.ai/settings/api-keys',
		keyPrefix: 'tgp_',
	},
	{
		name: 'fireworks',
		title: 'Fireworks AI',
		baseUrl: 'https://api.fireworks.ai/inference/v1',
		keyVariable: 'FIREWORKS_API_KEY',
		keyPage: 'https://app.fireworks.ai/settings/users/api-keys',
		keyPrefix: 'fw_',
	},
	{
		name: 'cerebras',
		title: 'Cerebras',
		baseUrl: 'https://api.cerebras.ai/v1',
		keyVariable: 'CEREBRAS_API_KEY',
		keyPage: 'https://cloud.cerebras.ai',
		keyPrefix: 'csk-',
	},
	{
		name: 'huggingface',
		title: 'Hugging Face',
		baseUrl: 'https://router.huggingface.co/v1',
		keyVariable: 'HF_TOKEN',
		keyPage: 'https://huggingface.co/settings/tokens',
		keyPrefix: 'hf_',
	},
	{
		title: 'Azure OpenAI',
		baseUrl: 'https://RESOURCE.openai.azure.com/openai/v1',
		keyVariable: 'AZURE_OPENAI_API_KEY',
		keyPage: 'https://portal.azure.com',
		note: "the model is your deployment's name",
	},
	{
		title: 'Azure OpenAI, older address',
		baseUrl:
			'https://RESOURCE.openai.azure.com/openai/deployments/NAME/chat/completions?api-version=2024-10-21',
		keyVariable: 'AZURE_OPENAI_API_KEY',
		keyPage: 'https://portal.azure.com',
		note: '`auth-header` is `api-key`; the deployment in the address is the model',
	},
	{
		title: 'Databricks',
		baseUrl: 'https://WORKSPACE.cloud.databricks.com/serving-endpoints/chat/completions',
		keyVariable: 'DATABRICKS_TOKEN',
		keyPage: 'https://docs.databricks.com/aws/en/dev-tools/auth/pat',
		keyPrefix: 'dapi',
		note: "the model is the serving endpoint's name",
	},
];

export const localProviders: readonly LocalProvider[] = [
	{
		name: 'ollama',
		title: 'Ollama',
		start: 'ollama serve',
		ports: [11_434],
		variables: ['OLLAMA_HOST'],
		readAddress: ({OLLAMA_HOST}) => OLLAMA_HOST,
	},
	{
		name: 'lmstudio',
		title: 'LM Studio',
		start: 'lms server start',
		ports: [1234],
		variables: ['LM_STUDIO_API_BASE', 'LM_STUDIO_URL'],
		readAddress: ({LM_STUDIO_API_BASE, LM_STUDIO_URL}) => LM_STUDIO_API_BASE || LM_STUDIO_URL,
		note: 'start its server in the Developer tab, or with `lms server start`',
	},
	{
		name: 'llama',
		title: 'llama-server',
		start: 'llama-server -m FILE.gguf, or let chat do it with --base-url llama:FILE.gguf',
		ports: [8080, 9931],
		note: '`llama:FILE.gguf` and `llama:OWNER/REPO` start one; a running one has a key only with `--api-key`',
		variables: ['LLAMA_ARG_HOST', 'LLAMA_ARG_PORT'],
		readAddress: ({LLAMA_ARG_HOST: host = '', LLAMA_ARG_PORT: port}) =>
			port ? `${host}:${port}` : undefined,
	},
	{
		name: 'vllm',
		title: 'vLLM',
		start: 'vllm serve MODEL',
		ports: [8000],
		note: 'a key only if it was started with `--api-key`',
	},
	{
		name: 'jan',
		title: 'Jan',
		start: 'its settings, Local API Server',
		ports: [1337],
	},
];

/** Returns the command that stores a key for a service, which need not be that of the config file. */
export function storeHint(origin: string): string {
	const provider = hostedProviders.find(
		({name, baseUrl}) => name !== undefined && new URL(baseUrl).origin === origin,
	);
	const {protocol, hostname} = new URL(origin);
	const isPlain = protocol === 'http:' && !isLoopback(hostname);
	const service = provider === undefined ? origin : `${provider.name}:`;
	return `chat auth set --base-url ${service}${isPlain ? ' --insecure-http' : ''}`;
}

/**
 * Says what to check where nothing answers.
 *
 * @param port of this machine
 */
export function startHint(port?: number): string {
	const provider = localProviders.find(({ports}) => ports.some((known) => known === port));
	const start = provider === undefined ? '' : ` To start ${provider.title}: ${provider.start}`;
	return `Is the service running, and are host and port right?${start}`;
}
