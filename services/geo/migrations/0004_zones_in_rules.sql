-- Whoever has a copy of an account's rules has one of their zones, too.
CREATE TRIGGER `rule_book_zone` AFTER UPDATE ON `zone` BEGIN
  UPDATE `rule_book` SET revision = revision + 1 WHERE account_id = new.account_id;
END;
