/** Finds context windows, and summaries that stand for turns. */
import type {Environment} from '../../../environment.ts';
import type {ReplServices} from '../../../repl/services.ts';
import {askForQuotes} from '../check-quotes.ts';
import {findWindow} from '../find-model.ts';
import type {CurrentClient, Run} from '../turn-runner.ts';

export function createCompactor(
	run: Run,
	client: CurrentClient,
	environment: Environment,
): Pick<ReplServices, 'findWindow' | 'summarize'> {
	return {
		async findWindow(model, signal) {
			const window = await findWindow(run.service, model, signal, environment);
			return {window, tools: (run.tools?.tools ?? []).map(({definition}) => definition)};
		},
		async summarize(request, signal) {
			const {summarizeTurns} = await import('../../../context/summarize.ts');
			// The prefix is that of a prompt, which the service may have cached.
			const conversation = askForQuotes(request.conversation, run.settings);
			const asked = {...request, conversation};
			return await summarizeTurns(asked, client(), run.tools?.tools ?? [], signal);
		},
	};
}
