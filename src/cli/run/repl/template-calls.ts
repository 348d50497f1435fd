/** Expands and explains templates, and the prompts of servers. */
import type {Environment} from '../../../environment.ts';
import type {ReplServices} from '../../../repl/services.ts';
import type {Run} from '../turn-runner.ts';

type TemplateCalls = Pick<ReplServices, 'expandTemplate' | 'explainTemplate'>;

export function createTemplateCalls(run: Run, environment: Environment): TemplateCalls {
	/** A template wins over a prompt of the same name: it is the user's own. */
	const findServerPrompt = async (name: string) => {
		if (run.servers === undefined) return undefined;
		const {findPrompt} = await import('./server-calls.ts');
		const {isTemplate} = await import('../template/session-templates.ts');
		return isTemplate(name, run, environment) ? undefined : findPrompt(name, run);
	};
	return {
		async expandTemplate(call, attachments) {
			const prompt = await findServerPrompt(call.name);
			if (prompt !== undefined) {
				const {callPrompt} = await import('./server-calls.ts');
				return await callPrompt(prompt, call, attachments, run, environment);
			}
			const {expandCall} = await import('../template/session-templates.ts');
			return await expandCall(call, attachments, run, environment);
		},
		async explainTemplate(name) {
			const prompt = await findServerPrompt(name);
			if (prompt !== undefined) {
				const {explainPrompt} = await import('./server-calls.ts');
				return explainPrompt(prompt);
			}
			const {explainTemplate} = await import('../template/session-templates.ts');
			return await explainTemplate(name, run, environment);
		},
	};
}
