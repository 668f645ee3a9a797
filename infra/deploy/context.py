"""What checks work with: a stack, who answers its functions, and a look into its tables and buckets."""

import hashlib
import json
import subprocess
from dataclasses import dataclass

from emulator import REGION

# A book that the shop gets later, with copies enough for every check.
NEW_BOOK = {
    "libro_id": 9001, "titulo": "El faro", "autor": "Nadie Todavía", "precio": "9.00", "stock": 100000,
    "categoria": "Novela", "descripcion": "Un farero cuenta cangrejos.",
}
# A book that no index has.
NEWEST_BOOK = {"libro_id": 9002, "titulo": "El libro de hoy", "autor": "Nadie Todavía", "precio": "9.00", "stock": 1}
# The key of each table that keeps what is a customer's.
CUSTOMERS_TABLES = {
    "EventsTable": ("owner", "commit"), "ConversationsTable": ("owner", "item"), "PurchasesTable": ("owner", "item"),
    "BookingsTable": ("subject", "item"), "LimitsTable": ("subject", "item"),
}
# Whose appointments are asked for.
BUSINESS_ID = "salon-brisa"
OPERATOR = "operator"
PATIENCE_S = 60
EVERYTHING = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}


@dataclass(frozen=True)
class Context:
    """A stack in use."""

    stack: object
    peer: object
    suite: object
    # The local program, for whoever keeps the shop running, and their key.
    program: object
    key: tuple

    def mostrador(self, *arguments):
        """Runs the local program on the stack's stores."""
        environment = {
            **self.stack.aws.environment(self.key), "CATALOGUE_TABLE": self.stack.outputs["CatalogueTableName"],
            "BOOKINGS_TABLE": self.stack.outputs["BookingsTableName"], "INDEX_BUCKET": self.stack.outputs["IndexBucketName"],
        }
        command = [self.program, *arguments, "--aws"]
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE_S)

    def bring_in(self, book):
        """Imports one book."""
        file = self.stack.aws.folder / "book.jsonl"
        file.write_text(json.dumps(book), encoding="utf-8")
        self.mostrador("import", str(file))

    def publish_shop(self, profile):
        """Publishes a profile, which functions read when they start."""
        folder = self.stack.aws.folder / "shop"
        folder.mkdir()
        (folder / "shop.toml").write_text(profile, encoding="utf-8")
        self.mostrador("shop", "publish", str(folder))

    def table_arn(self, table):
        return f"arn:aws:dynamodb:{REGION}:*:table/{self.stack.ids[table]}"

    def objects_arn(self, bucket):
        return f"arn:aws:s3:::{self.stack.ids[bucket]}/*"

    def manifest(self):
        """The published index's."""
        return json.loads(self.object("IndexBucket", "index/manifest.json"))

    def object(self, bucket, key):
        return self.stack.aws.client("s3").get_object(Bucket=self.stack.ids[bucket], Key=key)["Body"].read()

    def remove(self, bucket, key):
        self.stack.aws.client("s3").delete_object(Bucket=self.stack.ids[bucket], Key=key)

    def objects(self, bucket, prefix):
        """The keys of a bucket's objects below a prefix."""
        pages = self.stack.aws.client("s3").get_paginator("list_objects_v2").paginate(
            Bucket=self.stack.ids[bucket], Prefix=prefix
        )
        return [each["Key"] for page in pages for each in page.get("Contents", [])]

    def item(self, table, **key):
        """An item of a table, or none."""
        return self.read(table, {name: {"S": value} for name, value in key.items()}).get("Item")

    def read(self, table, key):
        client = self.stack.aws.client("dynamodb")
        return client.get_item(TableName=self.stack.ids[table], Key=key, ConsistentRead=True)

    def items(self, table, owner):
        """What a table keeps of a customer, by sort key."""
        partition, sort = CUSTOMERS_TABLES[table]
        pages = self.stack.aws.client("dynamodb").get_paginator("query").paginate(
            TableName=self.stack.ids[table], ConsistentRead=True, KeyConditionExpression="#p = :owner",
            ExpressionAttributeNames={"#p": partition}, ExpressionAttributeValues={":owner": {"S": owner}},
        )
        return {item[sort]["S"]: item for page in pages for item in page["Items"]}

    def copies_of(self, book):
        """Copies on hand, and how many of them are set aside for somebody."""
        found = self.read("CatalogueTable", {"libro_id": {"N": str(book["libro_id"])}})["Item"]
        return found["on_hand"]["N"], len(found["holds"]["L"])

    def put_summary(self, owner, text):
        """Keeps a summary of a customer's first conversation, as `summarise` does."""
        attributes = {"text": {"S": text}, "through": {"N": "8"}, "messages": {"N": "8"}, "made_by": {"S": "extract"}}
        self.stack.aws.client("dynamodb").put_item(
            TableName=self.stack.ids["ConversationsTable"],
            Item={"owner": {"S": owner}, "item": {"S": "summary#00000001"}, **attributes},
        )

    def left_of(self, owner):
        """What is left of an erased customer, besides items without content and those that lapse by themselves."""
        left = []
        for table in CUSTOMERS_TABLES:
            items = self.items(table, owner).items()
            left += [f"{table}: {key}" for key, item in items if "erased" not in item and "expires_at" not in item]
            left += [f"{table}: {key}" for key in self.items(table, owner) if key.startswith("key#")]
        days = self.items("BookingsTable", BUSINESS_ID).items()
        left += [f"BookingsTable: {key}" for key, item in days if owner in item["document"]["S"]]
        hashed = hashlib.sha256(owner.encode()).hexdigest()
        for folder in ("uploads", "texts"):
            left += self.objects("FilesBucket", f"{folder}/{hashed}/")
        return left


def operator(aws):
    """The key of somebody who may do everything, but is no root: what refuses all, refuses them too."""
    client = aws.client("iam")
    client.create_user(UserName=OPERATOR)
    client.put_user_policy(UserName=OPERATOR, PolicyName="everything", PolicyDocument=json.dumps(EVERYTHING))
    key = client.create_access_key(UserName=OPERATOR)["AccessKey"]
    return key["AccessKeyId"], key["SecretAccessKey"]
