"""Which tests are run for which function where a permission is taken from it, quick ones first."""

from dataclasses import dataclass

import customers
import documents
import events
import fulfilment
import turns

# A turn's, by whichever of the two ways.
TURN = (
    turns.a_turn_is_remembered,
    turns.prices_and_stock_are_live,
    turns.a_key_is_used_once,
    turns.the_index_is_searched,
    turns.a_book_newer_than_the_index_is_found_by_its_isbn,
    turns.what_sells_most_is_read,
    turns.a_customers_request_is_counted,
    turns.a_model_has_the_customers_orders_looked_up,
    turns.a_yes_has_done_what_was_asked,
    turns.a_yes_has_booked,
    turns.a_prompt_has_the_summary,
    turns.a_key_is_free_after_a_failure,
    turns.the_catalogue_answers_without_an_index,
    turns.a_customer_without_documents_gets_no_warning,
    turns.a_document_is_cited,
)
# Checks of this folder, and by name tests of the product's suite.
TESTS = {
    "ChatFunction": (
        *TURN,
        "conversations::messages_round_trip",
        "files::a_pdf_is_cited_by_its_page",
    ),
    "StreamFunction": (*TURN, "ai_sdk::an_answer_is_as_it_is_everywhere"),
    "SearchFunction": (
        turns.prices_and_stock_are_live,
        turns.a_book_newer_than_the_index_is_found_by_its_isbn,
        turns.what_sells_most_is_read,
        turns.the_index_is_searched,
        turns.a_customers_request_is_counted,
        turns.the_catalogue_answers_without_an_index,
    ),
    "ActionsFunction": (
        customers.the_shop_answers_in_its_languages,
        customers.a_reservation_is_made_listed_and_cancelled,
        customers.a_key_is_used_once,
        customers.a_key_is_free_after_a_failure,
        customers.an_approved_proposal_is_done,
        "cart::a_cart_from_first_to_last",
        "stock::a_reservation_holds_its_copies_until_it_is_cancelled_once",
        "appointments::an_appointment_from_first_to_last",
    ),
    "HistoryFunction": (
        customers.a_rating_shows_at_once,
        customers.a_messages_key_is_used_once,
        customers.a_messages_key_is_free_after_a_failure,
        customers.an_export_is_whole_without_documents,
        "remembered::everything_is_exported",
        "conversations::archiving_begins_the_next_conversation",
    ),
    "StaffFunction": (
        fulfilment.an_order_is_called_off_and_its_customer_told,
        fulfilment.the_shop_answers_in_its_languages,
        fulfilment.a_key_is_used_once,
        fulfilment.a_key_is_free_after_a_failure,
        fulfilment.a_damaged_account_is_seen_to,
        fulfilment.a_person_answers_and_hands_back,
        "staff::an_order_goes_to_its_customer_and_back_by_words_and_by_staff",
    ),
    "EraseFunction": (documents.a_customer_with_nothing_is_erased, documents.a_customer_with_everything_is_erased),
    "FilesFunction": (
        documents.a_new_customer_has_no_documents,
        documents.a_key_is_used_once,
        documents.a_key_is_free_after_a_failure,
        documents.a_document_is_found_by_meaning,
        "files::a_document_is_uploaded_cited_and_deleted",
    ),
    "ProjectFunction": (events.a_commit_is_projected, events.a_long_conversation_is_due, events.what_waits_is_told),
    "SummariseFunction": (events.what_is_due_is_summarised,),
    "ReindexFunction": (
        events.a_change_is_published,
        events.a_build_that_is_not_kept_is_removed,
        events.a_service_embeds_the_first_index,
    ),
    "PageFunction": (
        turns.the_page_is_in_the_shops_languages,
        turns.the_page_may_reach_stream_and_bucket,
        turns.a_request_is_logged,
    ),
}
# Those that read only objects which are not there: AWS would refuse all of these reads without `s3:ListBucket`.
OF_MISSING_OBJECTS = (
    turns.a_customer_without_documents_gets_no_warning,
    customers.an_export_is_whole_without_documents,
    documents.a_new_customer_has_no_documents,
    documents.a_customer_with_nothing_is_erased,
    events.a_service_embeds_the_first_index,
)


@dataclass(frozen=True)
class Probe:
    """A named test of one function."""

    function: str
    test: object

    @property
    def name(self):
        if isinstance(self.test, str):
            return self.test
        return f"{self.function.removesuffix('Function').lower()}::{self.test.__name__}"

    @property
    def reads_only_missing_objects(self):
        return self.test in OF_MISSING_OBJECTS

    def run(self, context):
        """Ends with an exception unless it passes."""
        if isinstance(self.test, str):
            context.suite.run_one(self.test)
        else:
            self.test(context, self.function)


def probes_of(function):
    return [Probe(function, test) for test in TESTS[function]]
