/** Starts the service that the benchmark talks to. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';

const script = fileURLToPath(new URL('./processes/sse-server.js', import.meta.url));

/** The caller closes it. */
export async function startService() {
	const child = spawn(process.execPath, [script], {stdio: ['ignore', 'pipe', 'inherit']});
	const [line] = await once(child.stdout, 'data');
	const origin = `http://127.0.0.1:${String(line).trim()}`;
	return {
		/** The base URL for an answer. The rate is in tokens per second; 0 means unlimited. */
		baseUrl: ({kind, tokens, rate}) => `${origin}/${kind}/${tokens}/${rate}/v1`,
		close: () => child.kill(),
	};
}
